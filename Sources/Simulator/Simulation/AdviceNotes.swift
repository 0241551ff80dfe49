/// Notes about one execution; empty unless they were asked for.
struct AdviceNotes: Codable {
  /// The routes of each fake, with true for each that was requested.
  var requested: [FakeRoute: Bool] = [:]
  /// The requests that no route fits.
  var unmatched: Set<FakeRoute> = []
  /// True if tasks went on after the body had returned.
  var goesOn = false
  /// These tasks, with the place of each one's last step; empty if events are not kept.
  var tasks: [String] = []
  static let none = AdviceNotes()
  var isEmpty: Bool { requested.isEmpty && unmatched.isEmpty && !goesOn }
}
