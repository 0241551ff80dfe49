extension Explorer.Explanation {
  /// What a test says first, in one line: what went wrong, and at which line of the program.
  package var testHeadline: String {
    // A name of the program's own says what was wanted; `deadlock` says nothing that the diagnosis does not.
    let isOwn = !Invariant.BuiltIn.checks.contains { $0.name == violation.invariant }
    let parts = [violation.diagnosis?.title, isOwn ? violation.invariant : nil, violation.message]
    let line = parts.compactMap(\.self).joined(separator: ": ").split(separator: "\n").joined(separator: " ")
      .visible
    let place = Trace.innermost(violation.trace.places(ofStep: violation.step))
    guard !line.contains(".swift:"), let place else { return line }
    return "\(line); seen after \(place)"
  }

  /// What a test says below that: the proof, what happened, the nearest passing run, how small the schedule is, what was
  /// tried, and at last what to do.
  ///
  /// - Parameters:
  ///   - isNamed: Whether the line above has the diagnosis.
  ///   - tried: What the search tried.
  ///   - advice: What to do with the line that replays it.
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
