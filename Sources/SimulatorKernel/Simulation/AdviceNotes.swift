/// Notes about one execution; empty unless they were asked for.
package struct AdviceNotes: Codable {
  /// The routes of each fake, with true for each that was requested.
  package var requested: [FakeRoute: Bool] = [:]
  /// The requests that no route fits.
  package var unmatched: Set<FakeRoute> = []
  /// True if tasks went on after the body had returned.
  package var goesOn = false
  /// These tasks, with the place of each one's last step; empty if events are not kept.
  package var tasks: [String] = []
  package static let none = AdviceNotes()
  package var isEmpty: Bool { requested.isEmpty && unmatched.isEmpty && !goesOn }
}
