internal import SimulatorCore
internal import SimulatorKernel

extension Explorer {
  /// Advice about a search that violates nothing: something went on untested, or a fake was never asked.
  package struct Advice: Codable, Sendable {
    private var notes = AdviceNotes.none
    /// The first schedule in which tasks went on after the body had returned.
    private(set) var scheduleAfterBody: Schedule?
    /// True if a route that was never requested is another search's to report.
    private var ignoresRoutes = false

    /// Advice without anything to report.
    package init() {}

    /// Moves what is known of routes to `other`, which the searches of all arguments of a test share.
    package mutating func moveRoutes(to other: inout Self) {
      other.notes.requested.merge(notes.requested) { $0 || $1 }
      ignoresRoutes = true
    }

    /// Adds the notes of an execution that ran under `schedule`.
    mutating func add(_ other: AdviceNotes, under schedule: @autoclosure () -> Schedule) {
      if !other.requested.isEmpty { notes.requested.merge(other.requested) { $0 || $1 } }
      if !other.unmatched.isEmpty { notes.unmatched.formUnion(other.unmatched) }
      if other.goesOn, !notes.goesOn { scheduleAfterBody = schedule() }
      notes.goesOn = notes.goesOn || other.goesOn
      if notes.tasks.isEmpty { notes.tasks = other.tasks }
    }

    /// Returns true if an execution noted something that no earlier one has.
    func isNews(_ other: AdviceNotes) -> Bool {
      other.goesOn && !notes.goesOn || !other.unmatched.isSubset(of: notes.unmatched)
        || other.requested.contains { route, isRequested in
          notes.requested[route].map { isRequested && !$0 } ?? true
        }
    }

    /// The most important piece of advice, with its fix; nil if there is none.
    package var sentence: String? { sentences.first }

    /// All advice, the most important first.
    package var sentences: [String] {
      [goneOnSentence, unmatchedSentence, neverRequestedSentence].compactMap(\.self)
    }

    private var goneOnSentence: String? {
      guard notes.goesOn else { return nil }
      let names = Self.list(notes.tasks)
      let isOne = notes.tasks.count == 1
      return
        "\(isOne ? "a task was" : "tasks were") still at work when the body returned, so what \(isOne ? "it does" : "they do") "
        + "after that is not tested\(names.isEmpty ? "" : ": \(names)"); "
        + "await or cancel them, or let time pass at the end of the body: "
        + "`try await Task.sleep(for: .seconds(60))`, which is virtual"
    }

    private var unmatchedSentence: String? {
      guard let first = notes.unmatched.min() else { return nil }
      let more = notes.unmatched.count == 1 ? "" : " (and \(notes.unmatched.count - 1) more)"
      let near = nearest(first).map { "; did you mean `\($0)`?" } ?? ""
      return
        "no route of the fake “\(first.fake)” fits the request `\(first.route)`\(more)\(near); add the route, or name "
        + "an answer for all others with `otherwise:`"
    }

    private var neverRequestedSentence: String? {
      guard !ignoresRoutes else { return nil }
      let never = notes.requested.filter { !$0.value }.keys.sorted()
      guard let first = never.first else { return nil }
      let more = never.count == 1 ? "" : " (and \(never.count - 1) more)"
      return
        "the route `\(first.route)` of the fake “\(first.fake)” was never requested in any schedule\(more); "
        + "take it out, or test what requests it"
    }

    /// Returns the route that was never requested and is spelled most like `request`; nil if none is like it.
    private func nearest(_ request: FakeRoute) -> String? {
      let routes = notes.requested.filter { !$0.value && $0.key.fake == request.fake }.keys.sorted()
      return NearestName.of(request.route, in: routes.map(\.route))
    }

    private static func list(_ names: [String]) -> String {
      names.prefix(3).joined(separator: "; ") + (names.count > 3 ? "; and \(names.count - 3) more" : "")
    }
  }
}
