internal import Simulator

extension PageWriter {
  /// Writes the violations of one execution, and its picture. `schedule` is the schedule that was replayed.
  mutating func write(_ findings: [ViolationReport], _ schedule: [String]) {
    for finding in findings {
      let place = finding.place + (finding.number.map { "; found by schedule \($0)" } ?? "")
      head(
        finding.headline, finding.evidence, isExpected: finding.isExpected,
        "violates <b>\(HTMLText.escaped(finding.invariant))</b> at \(place)")
    }
    guard let shown = findings.max(by: { $0.step < $1.step }) else { return }
    let chart = shown.chart?.also(findings.filter { $0.invariant != shown.invariant })
    run(
      chart, shown.nearestPassing, schedule.isEmpty ? shown.shrinking?.lines ?? [] : schedule,
      findings.map(\.replayCommand))
  }

  mutating func write(_ execution: Page.Execution, _ schedule: [String]) {
    head(execution.headline, nil, isExpected: true, "in this schedule")
    run(execution.chart, nil, schedule, [execution.replay])
  }

  private mutating func head(_ headline: String, _ evidence: String?, isExpected: Bool, _ place: String) {
    add(
      "<article class=\"finding\(isExpected ? "" : " unexpected")\"><h3>\(HTMLText.escaped(headline))</h3>")
    if let evidence { add("<p>\(HTMLText.escaped(evidence))</p>") }
    add("<p class=\"place\">\(place)</p></article>\n")
  }

  /// Writes the picture of an execution, its schedule, and the commands that replay it.
  private mutating func run(
    _ chart: Explorer.Chart?, _ nearest: NearestPassingReport?, _ schedule: [String], _ commands: [String]
  ) {
    if let chart, !chart.rows.isEmpty { figure(chart, nearest) }
    if !schedule.isEmpty {
      add("<p class=\"shrinking\">\(schedule.map(HTMLText.escaped).joined(separator: "<br />"))</p>\n")
    }
    for (index, command) in commands.enumerated() where !commands[..<index].contains(command) {
      add(
        "<p class=\"replay\"><code>\(HTMLText.escaped(command))</code><button class=\"copy\">copy</button></p>\n"
      )
    }
  }

  /// Writes the execution, and beside it the nearest passing run from the first difference on.
  private mutating func figure(_ chart: Explorer.Chart, _ nearest: NearestPassingReport?) {
    let passing = nearest?.chart.flatMap { $0.rows.isEmpty ? nil : $0 }
    var failing = FigureRows(chart, in: chart.lanes, isPassing: false)
    let lanes =
      chart.lanes
      + (passing?.lanes ?? []).filter { lane in
        !chart.lanes.contains { $0.name == lane.name }
      }
    let other = passing.map { FigureRows($0, in: lanes, isPassing: true) }
    let before = failing.difference ?? failing.rows.count
    let height = 1 + max(failing.rows.count, other.map { before + $0.rows.count } ?? 0)
    let count = max(1, lanes.count)
    add(
      "<figure class=\"n\(min(count, 9))\(other == nil ? "" : " pair")\" style=\"--n:\(count);--r:\(height)\"><div class=\"runs\">\n"
    )
    failing.lanes = lanes
    half(failing, "this run", notes(chart))
    if let other, let nearest {
      let said = "the nearest passing run"
      half(other, said, [], before: before, nearest.agreed)
    }
    add("</div>")
    if let nearest {
      add(
        "<figcaption>Both agree for \(nearest.agreed.grouped) \(nearest.agreed == 1 ? "event" : "events"). Then this run: \(HTMLText.escaped(nearest.failing)). The passing run <code>\(HTMLText.escaped(nearest.token))</code>: \(HTMLText.escaped(nearest.passing)).</figcaption>"
      )
    }
    add("<div class=\"code\"></div></figure>\n")
  }

  private func notes(_ chart: Explorer.Chart) -> [String] {
    (chart.initial.isEmpty ? [] : ["at first " + chart.initial.joined(separator: "; ")])
      + (chart.leftOut > 0 ? ["\(chart.leftOut.grouped) earlier rows left out"] : [])
  }

  private mutating func half(
    _ figure: FigureRows, _ title: String, _ notes: [String], before: Int = 0, _ agreed: Int = 0
  ) {
    add("<div class=\"run\(figure.isPassing ? " passing" : "")\"><div class=\"head\"><b>\(title)</b>")
    for note in notes { add("<small>\(HTMLText.escaped(note))</small>") }
    add("<ul class=\"lanes\">")
    for (index, lane) in figure.lanes.enumerated() {
      add(
        "<li class=\"\(lane.kind.letter) l\(min(index, PageLanes.most - 1))\">\(HTMLText.escaped(lane.name))\(lane.kindText.map { " <small>\($0)</small>" } ?? "")</li>"
      )
    }
    add("</ul></div>")
    if figure.isPassing, before > 0 {
      add("<p class=\"same\" style=\"grid-row:span \(before)\"><span>the same until here</span></p>")
    }
    add("<ol>\n")
    var time: String?
    for row in figure.rows {
      write(row, in: figure, showing: row.first.time.description == time ? nil : row.first.time.description)
      time = row.first.time.description
    }
    add("</ol></div>\n")
  }

  private mutating func write(_ row: FigureRows.Row, in figure: FigureRows, showing time: String?) {
    let first = row.first
    var kinds = [first.lane.map { figure.lanes[$0].kind.letter } ?? "o"]
    if row.parts.contains(where: \.isMarked) { kinds.append("mk") }
    if row.isDifference { kinds.append("df") }
    if first.isVerdict { kinds.append("vx") }
    if row.isEnd { kinds.append("ok") }
    if first.task == nil { kinds.append("ev") }
    if let lane = first.lane { kinds.append("l\(min(lane, PageLanes.most - 1))") }
    add(
      "<li class=\"\(kinds.joined(separator: " "))\"\(data(row))>\(time.map { "<time>\($0)</time>" } ?? "")<div>"
    )
    if row.isDifference { add("<em>\(figure.isPassing ? "here instead" : "first difference")</em>") }
    for (index, part) in row.parts.enumerated() {
      let text = (part.isMarked ? "<b class=\"dv\">»</b> " : "") + HTMLText.escaped(part.text)
      add(index == 0 ? text : "<p>\(text)</p>")
    }
    add("</div></li>\n")
  }
}

extension PageWriter {
  /// Returns the data of a row for the page's script: its step, its task, the step that made it runnable, its call, its
  /// place, its changes. Missing values are empty.
  private mutating func data(_ row: FigureRows.Row) -> String {
    let first = row.first
    var values = [
      first.step > 0 ? first.step : nil, first.task, first.cause, row.parts.compactMap(\.call).first,
      details.index(of: first.places), details.index(of: row.parts.flatMap(\.changes)),
    ]
    while let last = values.last, last == nil { values.removeLast() }
    if values.isEmpty { return "" }
    return " data-r=\"" + values.map { $0.map(String.init) ?? "" }.joined(separator: " ") + "\""
  }
}

extension Trace.Domain.Kind {
  /// The CSS class of the kind.
  fileprivate var letter: String {
    switch self {
    case .pool: "p"
    case .mainActor: "m"
    case .actor: "a"
    case .fake: "f"
    case .executor, .queue: "q"
    case .thread: "t"
    }
  }
}

extension Explorer.Chart.Lane {
  /// The kind of the domain; nil if the name already says it.
  fileprivate var kindText: String? {
    switch kind {
    case .pool, .mainActor: nil
    case .actor: "actor"
    case .fake: "fake"
    case .executor: "executor"
    case .queue: "queue"
    case .thread: "thread"
    }
  }
}
