/// No file is too long and no function, but for the few that PLAN.md lists with their reasons.
public struct SizeCheck {
  static let heading = "Sizes"
  let linesOfFile = 300
  let linesOfFunction = 40
  let exceptions = 5

  private let sources: Sources
  private let listed: [Section.Entry]

  public init(sources: Sources, plan: String) throws(Refusal) {
    self.sources = sources
    listed = try Section(Self.heading, in: plan).entries
  }

  private struct Excess {
    let path: String
    let function: String?
    let message: String
  }

  public func outcome() throws(Refusal) -> Outcome {
    var excesses: [Excess] = []
    for path in sources.paths { excesses += try self.excesses(in: path) }
    var findings = excesses.filter { excess in !listed.contains { $0.covers(excess.path, excess.function) } }
      .map { Finding($0.message) }
    for entry in listed {
      let place = "PLAN.md:\(entry.line): the exception for \(entry.detail ?? entry.path)"
      if !excesses.contains(where: { entry.covers($0.path, $0.function) }) {
        findings.append(Finding("\(place) is not needed"))
      }
      if entry.reason.isEmpty { findings.append(Finding("\(place) has no reason")) }
    }
    if listed.count > exceptions {
      findings.append(
        Finding("PLAN.md: \(listed.count) exceptions, at most \(exceptions) are allowed"))
    }
    return Outcome(
      findings: findings,
      proved: "no file over \(linesOfFile) lines and no function over \(linesOfFunction), but \(listed.count)"
    )
  }

  private func excesses(in path: String) throws(Refusal) -> [Excess] {
    let text = try sources.text(path)
    let lines =
      text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
    let language: SourceText.Language = path.hasSuffix(".swift") ? .swift : .c
    let functions = FunctionLength.all(in: SourceText(text, language), language)
    return
      (lines > linesOfFile
      ? [Excess(path: path, function: nil, message: "Sources/\(path): \(lines) lines")] : [])
      + functions.filter { $0.lines > linesOfFunction }.map {
        Excess(
          path: path, function: $0.name,
          message: "Sources/\(path):\($0.line): \($0.name) has \($0.lines) lines")
      }
  }
}

extension Section.Entry {
  fileprivate func covers(_ path: String, _ function: String?) -> Bool {
    self.path == path && detail == function
  }
}
