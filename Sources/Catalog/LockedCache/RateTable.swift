/// Rates without a lock: a class that whoever uses it must own.
final class RateTable {
  private var rates: [String: ExchangeRate] = [:]

  subscript(currency: String) -> ExchangeRate? {
    get { rates[currency] }
    set { rates[currency] = newValue }
  }
}
