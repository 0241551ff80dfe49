/// A part of a scenario that no execution has used.
struct Unused: Hashable, Codable, Sendable {
  /// The way in which something is untested.
  enum Kind: String, CaseIterable, Codable, Sendable {
    /// No execution has used it.
    case unused
    /// The invariant had nothing to judge.
    case vacuous
    /// The file says that it is not tested, but it was.
    case tested
  }

  /// What a file calls it, under `"untested"`.
  var name = ""
  /// What never happened, a sentence.
  var text: String
  /// The name of what would have had to happen before; nil where there is nothing.
  var within: String?
  var kind = Kind.unused
  /// The variant that does not test it; nil if no variant does.
  var variant: String?

  /// The whole sentence, for a person.
  var sentence: String { (variant.map { "\($0): " } ?? "") + text }
}

extension Unused {
  /// An invariant that had nothing to judge.
  init(invariant: String) {
    self.init(name: invariant, text: "\(invariant) never had anything to judge", kind: .vacuous)
  }
}

extension [Unused] {
  /// Those that do not go without saying.
  var toTell: [Unused] {
    let all = Set(map(\.name))
    return filter { unused in !(unused.within.map(all.contains) ?? false) }
  }

  var sentences: [String] { map(\.sentence) }
}
