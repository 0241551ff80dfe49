/// The rows of a chart as a figure has them: what happens in one step stands in one box.
struct FigureRows {
  struct Row {
    var parts: [Explorer.Chart.Row]
    /// Whether the other run does not have it, and has all before.
    var isDifference = false
    /// Whether it says that a passing run has come to its end.
    var isEnd = false

    var first: Explorer.Chart.Row { parts[0] }
  }

  let isPassing: Bool
  var lanes: [Explorer.Chart.Lane]
  private(set) var rows: [Row] = []
  /// The first row that the other run does not have.
  private(set) var difference: Int?

  /// `chart` with its lanes where `lanes` has those of the same name.
  init(_ chart: Explorer.Chart, in lanes: [Explorer.Chart.Lane], isPassing: Bool) {
    self.isPassing = isPassing
    self.lanes = lanes
    for (index, part) in chart.rows.enumerated() {
      var part = part
      part.lane = part.lane.flatMap { old in lanes.firstIndex { $0.name == chart.lanes[old].name } }
      let isDifference = index == chart.difference
      if !isDifference, let last = rows.last, Self.belong(last, part) {
        rows[rows.count - 1].parts.append(part)
      } else {
        if isDifference { difference = rows.count }
        rows.append(Row(parts: [part], isDifference: isDifference))
      }
    }
    if isPassing, let last = chart.rows.last {
      var end = Explorer.Chart.Row(
        nanoseconds: last.nanoseconds, step: 0, lane: nil, text: "✓ the invariant holds")
      end.isVerdict = false
      rows.append(Row(parts: [end], isEnd: true))
    }
  }

  /// Whether `part` happens in the step of `row`.
  private static func belong(_ row: Row, _ part: Explorer.Chart.Row) -> Bool {
    row.first.step == part.step && part.step > 0 && row.first.lane == part.lane && part.lane != nil
      && !part.isVerdict && !row.first.isVerdict && !part.isStep
      && row.first.nanoseconds == part.nanoseconds
  }
}

extension Explorer.Chart {
  /// With the other violations of the same execution, each where it was noticed.
  func also(_ findings: [Page.Finding]) -> Explorer.Chart {
    var chart = self
    for finding in findings {
      guard var row = finding.chart?.rows.last(where: \.isVerdict) else { continue }
      row.lane = row.lane.flatMap { old in
        chart.lanes.firstIndex { $0.name == finding.chart?.lanes[old].name }
      }
      let place = chart.rows.firstIndex { $0.step > row.step || $0.isVerdict } ?? chart.rows.endIndex
      chart.rows.insert(row, at: place)
      if let difference = chart.difference, difference >= place { chart.difference = difference + 1 }
    }
    return chart
  }
}
