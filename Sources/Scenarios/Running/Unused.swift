/// A part of a scenario that no execution has used.
struct Unused: Hashable, Sendable {
  /// What never happened, a sentence.
  let text: String
  /// What would have had to happen before, as the sentence that says that it did not; nil where there is nothing.
  var within: String?
}

extension [Unused] {
  /// The sentences, but for those that go without saying.
  var told: [String] {
    let all = Set(map(\.text))
    return filter { unused in !(unused.within.map(all.contains) ?? false) }.map(\.text)
  }
}
