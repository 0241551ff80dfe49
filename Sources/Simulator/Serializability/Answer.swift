/// The result of an operation, or an observed value.
struct Answer: Hashable, @unchecked Sendable {
  // @unchecked Sendable because what it holds is: each is made from a value that is `Sendable`.
  private let value: AnyHashable
  let text: String

  static let done = Answer(AnyHashable(0), "done")

  init(_ value: some Hashable & Sendable) { self.init(AnyHashable(value), "\(value)") }

  init(error: any Error) {
    let text = "throws \(error)"
    self.init(AnyHashable([text, "\(type(of: error))"]), text)
  }

  private init(_ value: AnyHashable, _ text: String) { (self.value, self.text) = (value, text) }

  static func == (one: Answer, other: Answer) -> Bool { one.value == other.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
