import Foundation

/// Looks for the rate, and for a load under way, and joins or begins one, all under one lock. It calls nobody while it
/// holds the lock.
final class HardenedRateCache: RateCache, @unchecked Sendable {
  private enum Entry {
    case loading([RateCallback])
    case loaded(ExchangeRate)
  }

  // @unchecked Sendable because the entries are reached under the lock only.
  private let lock = NSLock()
  private var entries: [String: Entry] = [:]
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
    let next: () -> Void = lock.withLock {
      switch entries[currency] {
      case .loaded(let rate): return { callback(.success(rate)) }
      case .loading(let waiting):
        entries[currency] = .loading(waiting + [callback])
        return {}
      case nil:
        // undone: lock.unlock(); lock.lock(); entries[currency] = .loading([callback])
        entries[currency] = .loading([callback])  // guard: joins-under-one-lock
        return { [self] in service.rate(of: currency) { self.loaded(currency, $0) } }
      }
    }
    next()
  }

  private func loaded(_ currency: String, _ result: Result<ExchangeRate, any Error>) {
    let waiting: [RateCallback] = lock.withLock {
      guard case .loading(let waiting) = entries[currency] else { return [] }
      // undone: entries[currency] = (try? result.get()).map(Entry.loaded) ?? .loading([])
      entries[currency] = (try? result.get()).map(Entry.loaded)  // guard: a-failure-is-forgotten
      return waiting
    }
    // undone: waiting.first?(result)
    for callback in waiting { callback(result) }  // guard: everybody-is-told
  }
}

// Not guards: the entries, in which the guards stand.
