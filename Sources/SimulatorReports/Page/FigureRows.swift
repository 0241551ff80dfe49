internal import Simulator

/// The rows of a chart as a figure shows them: everything that happens in one step shares a box.
struct FigureRows {
  struct Row {
    var parts: [Explorer.Chart.Row]
    /// True if this is the first row that the other run does not have.
    var isDifference = false
    /// True if the row says that a passing run has ended.
    var isEnd = false

    var first: Explorer.Chart.Row { parts[0] }
  }

  let isPassing: Bool
  var lanes: [Explorer.Chart.Lane]
  private(set) var rows: [Row] = []
  /// The first row that the other run does not have.
  private(set) var difference: Int?

  /// Makes the rows of `chart`, with its lanes matched by name to those in `lanes`.
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

  /// Returns true if `part` happens in the step of `row`.
  private static func belong(_ row: Row, _ part: Explorer.Chart.Row) -> Bool {
    row.first.step == part.step && part.step > 0 && row.first.lane == part.lane && part.lane != nil
      && !part.isVerdict && !row.first.isVerdict && !part.isStep
      && row.first.nanoseconds == part.nanoseconds
  }
}

extension Explorer.Chart {
  /// Returns the chart with the other violations of the same execution, each at the step where it was noticed.
  func also(_ findings: [ViolationReport]) -> Explorer.Chart {
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
