import Simulator

extension ReportDocument {
  /// What a page draws of an execution.
  struct Chart: Decodable {
    struct Lane: Decodable {
      let name: String
      let kind: String
    }

    struct Place: Decodable {
      let function: String
      let file: String
      let line: Int
      let text: String?
      let path: String?
    }

    struct Row: Decodable {
      let nanoseconds: Int64
      let step: Int
      let lane: Int?
      let text: String
      let task: Int?
      let isStep: Bool?
      let isMarked: Bool?
      let isVerdict: Bool?
      let cause: Int?
      let call: Int?
      let places: [Place]?
    }

    let lanes: [Lane]
    let rows: [Row]
    let initial: [String]
    let leftOut: Int
    let difference: Int?

    func chart() throws(ReportFlaw) -> Explorer.Chart {
      var known: [Explorer.Chart.Lane] = []
      for lane in lanes {
        guard let kind = Trace.Domain.Kind(rawValue: lane.kind) else { throw ReportFlaw(key: "chart.lanes") }
        known.append(Explorer.Chart.Lane(name: lane.name, kind: kind))
      }
      guard rows.allSatisfy({ $0.lane.map(known.indices.contains) ?? true }) else {
        throw ReportFlaw(key: "chart.rows")
      }
      guard difference.map(rows.indices.contains) ?? true else { throw ReportFlaw(key: "chart.difference") }
      return Explorer.Chart(
        lanes: known, rows: rows.map(\.row), initial: initial, leftOut: leftOut, difference: difference)
    }
  }
}

extension ReportDocument.Chart.Row {
  fileprivate var row: Explorer.Chart.Row {
    var row = Explorer.Chart.Row(nanoseconds: nanoseconds, step: step, lane: lane, text: text)
    row.task = task
    row.isStep = isStep ?? false
    row.isMarked = isMarked ?? false
    row.isVerdict = isVerdict ?? false
    row.cause = cause
    row.call = call
    row.places = (places ?? []).map {
      Explorer.Chart.Place(function: $0.function, file: $0.file, line: $0.line, text: $0.text, path: $0.path)
    }
    return row
  }
}
