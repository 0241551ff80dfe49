internal import SimulatorCore

extension Explorer.Explanation {
  /// The first line of a test's message: what went wrong, and at which line of the program.
  package var testHeadline: String {
    // An invariant of the program has a name that says what was wanted. `deadlock` adds nothing to the diagnosis.
    let isOwn = !Invariant.BuiltIn.checks.contains { $0.name == violation.invariant }
    let parts = [violation.diagnosis?.title, isOwn ? violation.invariant : nil, violation.message]
    let line = parts.compactMap(\.self).joined(separator: ": ").split(separator: "\n").joined(separator: " ")
      .visible
    let place = Trace.innermost(violation.trace.places(ofStep: violation.step))
    guard !line.contains(".swift:"), let place else { return line }
    return "\(line); seen after \(place)"
  }

  /// Returns the rest of a test's message: the proof, what happened, the nearest passing run, the size of the schedule,
  /// what was tried, and finally what to do.
  ///
  /// - Parameters:
  /// - isNamed: True if the line above contains the diagnosis.
  ///   - tried: The text on what the search tried.
  ///   - advice: The advice on using the line that replays it.
  package func testText(isNamed: Bool, tried: String?, advice: String) -> String {
    let title = isNamed ? nil : violation.diagnosis?.title
    let proof = [title, violation.evidence].compactMap(\.self).joined(separator: ": ")
    let parts = [
      proof.isEmpty ? nil : proof, story.map { "what happened, in virtual time:\n\($0)" },
      violation.shrinking?.nearestPassing?.description, violation.shrinking?.description,
      finding + (tried.map { "\n\($0)" } ?? ""), advice,
    ]
    return parts.compactMap(\.self).map { Wrapping.text($0, width: width) }.joined(separator: "\n\n")
      + "\n\(replay)"
  }
}
