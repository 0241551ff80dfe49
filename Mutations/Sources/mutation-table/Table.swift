import Mutator

/// The table as Markdown.
struct Table {
  let judged: [Judged]
  let equivalents: Equivalents
  let head: String

  private struct Count {
    var compiled = 0
    var killed = 0
    var equivalent = 0
    var unjudged = 0
    var survived = 0

    /// Of those that can be killed.
    var score: String {
      let rest = compiled - equivalent - unjudged
      return rest == 0 ? "–" : "\(killed * 100 / rest) %"
    }

    var cells: String { "\(compiled) | \(killed) | \(equivalent) | \(unjudged) | \(survived) | \(score)" }
  }

  private func count(_ judged: [Judged]) -> Count {
    judged.reduce(into: Count()) { count, one in
      count.compiled += 1
      if equivalents.contains(one.key) { count.equivalent += 1; return }
      switch one.verdict {
      case .killed: count.killed += 1
      case .timeout, .broken: count.unjudged += 1
      case .survived: count.survived += 1
      }
    }
  }

  /// The figures of all.
  var sum: String {
    let all = count(judged)
    return
      "\(all.compiled) mutants: \(all.killed) killed, \(all.equivalent) equivalent, \(all.unjudged) not judged, "
      + "\(all.survived) survived"
  }

  var text: String {
    let systems = Dictionary(grouping: judged, by: \.system)
    var lines = [
      head, "", "| system | compile | killed | equivalent | not judged | survived | score |",
      "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for system in systems.keys.sorted() {
      lines.append("| \(system) | \(count(systems[system] ?? []).cells) |")
    }
    lines += ["| **all** | \(count(judged).cells) |", "", "By operator:", ""]
    lines += ["| operator | what it does | compile | killed | equivalent | not judged | survived | score |"]
    lines += ["| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for mutation in Operator.allCases {
      let own = judged.filter { $0.key.mutation == mutation.rawValue }
      if !own.isEmpty {
        lines.append("| `\(mutation.rawValue)` | \(mutation.meaning) | \(count(own).cells) |")
      }
    }
    lines += ["", "## Survivors"]
    for system in systems.keys.sorted() { lines += survivors(systems[system] ?? [], of: system) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func survivors(_ judged: [Judged], of system: String) -> [String] {
    let left = judged.filter { !$0.verdict.isKilled && !equivalents.contains($0.key) }
    guard !left.isEmpty else { return [] }
    return ["", "### \(system)", ""]
      + left.map { one in
        let file = one.key.file.split(separator: "/").last ?? ""
        let verdict = if case .survived = one.verdict { "" } else { " (\(one.verdict.text))" }
        return "- \(file):\(one.line) `\(one.key.function)` \(one.key.mutation): `\(one.key.text)`\(verdict)"
      }
  }
}
