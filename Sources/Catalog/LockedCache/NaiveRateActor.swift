/// Owns a table, so that nobody else changes it. The actor is left while it waits for the bank, and another caller finds
/// nothing in the table either.
actor NaiveRateActor: RateCache {
  private let table = RateTable()
  private let service: RateService

  init(service: RateService) {
    self.service = service
  }

  func rate(of currency: String) async throws -> ExchangeRate {
    if let rate = table[currency] { return rate }
    let rate = try await service.rate(of: currency)
    table[currency] = rate
    return rate
  }
}
