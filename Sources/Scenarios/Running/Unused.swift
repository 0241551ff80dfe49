/// A part of a scenario that no execution has used.
struct Unused: Hashable, Codable, Sendable {
  /// What a file calls it, under `"untested"`.
  var name = ""
  /// What never happened, a sentence.
  let text: String
  /// The name of what would have had to happen before; nil where there is nothing.
  var within: String?
}

extension Unused {
  /// An invariant that had nothing to judge.
  init(invariant: String) {
    self.init(name: invariant, text: "\(invariant) never had anything to judge")
  }
}

extension [Unused] {
  /// Those that do not go without saying.
  var toTell: [Unused] {
    let all = Set(map(\.name))
    return filter { unused in !(unused.within.map(all.contains) ?? false) }
  }

  /// The sentences, but for those that go without saying.
  var told: [String] { toTell.map(\.text) }
}
