import Foundation
import Observation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a currency costs.
struct ExchangeRate: Hashable, Sendable {
  let currency: String
  let price: String
}

typealias RateCallback = @Sendable (Result<ExchangeRate, any Error>) -> Void

/// Where the app gets its rates: from the bank, once for each currency.
protocol RateCache: Sendable {
  func rate(of currency: String) async throws -> ExchangeRate
}

/// The screen with the rates, on which each row asks for its own.
@MainActor @Observable final class RatesModel {
  private(set) var rates: [String: ExchangeRate] = [:]
  @ObservationIgnored private let cache: any RateCache

  init(cache: any RateCache) {
    self.cache = cache
  }

  func show(_ currency: String) async throws {
    do {
      let rate = try await cache.rate(of: currency)
      try Task.checkCancellation()
      rates[currency] = rate
    } catch {
      // A row that is gone is told that, and not what has become of the load.
      throw Task.isCancelled ? CancellationError() : error
    }
  }
}

// MARK: - The bank

/// Asks the bank, by a callback or by an async function.
struct RateService: Sendable {
  private let session = URLSession(configuration: .ephemeral)

  func rate(of currency: String, _ callback: @escaping RateCallback) {
    session.dataTask(with: request(currency)) { data, _, error in
      callback(
        data.map { .success(ExchangeRate(currency, $0)) } ?? .failure(error ?? URLError(.unknown)))
    }.resume()
  }

  func rate(of currency: String) async throws -> ExchangeRate {
    ExchangeRate(currency, try await session.data(for: request(currency)).0)
  }

  private func request(_ currency: String) -> URLRequest {
    var address = URLComponents()
    (address.scheme, address.host, address.path) = ("https", "example.org", "/rate")
    address.queryItems = [URLQueryItem(name: "currency", value: currency)]
    guard let url = address.url else { preconditionFailure("\(currency) makes no address") }
    return URLRequest(url: url)
  }
}

extension ExchangeRate {
  fileprivate init(_ currency: String, _ data: Data) {
    self.init(currency: currency, price: String(decoding: data, as: UTF8.self))
  }
}
