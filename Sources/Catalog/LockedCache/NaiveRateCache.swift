import Foundation

/// Locks each access to the rates: free of data races. Between the look and the load there is no lock, and two that look
/// at once both load.
final class NaiveRateCache: RateCache, @unchecked Sendable {
  // @unchecked Sendable because the rates are reached under the lock only.
  private let lock = NSLock()
  private var rates: [String: ExchangeRate] = [:]
  private let service: RateService

  init(service: RateService) {
    self.service = service
  }

  @concurrent func rate(of currency: String) async throws -> ExchangeRate {
    try await withCheckedThrowingContinuation { waiting in
      rate(of: currency) { waiting.resume(with: $0) }
    }
  }

  private func rate(of currency: String, _ callback: @escaping RateCallback) {
    if let rate = lock.withLock({ rates[currency] }) { return callback(.success(rate)) }
    service.rate(of: currency) { result in
      if case .success(let rate) = result { self.lock.withLock { self.rates[currency] = rate } }
      callback(result)
    }
  }
}
