/// Owns a table, and the loads under way: who finds no rate joins the load. A load goes on although the caller who began it
/// has lost interest, since it is for all.
actor HardenedRateActor: RateCache {
  private let table = RateTable()
  private var loads: [String: Task<ExchangeRate, any Error>] = [:]
  private let service: RateService

  init(service: RateService) {
    self.service = service
  }

  func rate(of currency: String) async throws -> ExchangeRate {
    if let rate = table[currency] { return rate }
    if let load = loads[currency] { return try await load.shared }  // guard: joins-the-load
    let load = Task {
      defer { loads[currency] = nil }
      let rate = try await service.rate(of: currency)
      table[currency] = rate
      return rate
    }
    loads[currency] = load
    return try await load.shared
  }
}

// Not guards: the record of loads, which the guard reads; that it forgets a load that has failed, without which the next
// caller gets the old failure: an answer too, so no scenario notices.
