/// What is noted of one execution; nothing where it was not asked for.
struct AdviceNotes: Codable {
  /// Whether each route of each fake was requested.
  var requested: [FakeRoute: Bool] = [:]
  /// The requests that no route fits.
  var unmatched: Set<FakeRoute> = []
  /// Whether tasks went on when the body had returned.
  var goesOn = false
  /// These tasks, and where each took its last step; empty where events are not kept.
  var tasks: [String] = []
  static let none = AdviceNotes()
  var isEmpty: Bool { requested.isEmpty && unmatched.isEmpty && !goesOn }
}
