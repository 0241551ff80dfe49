internal import SimulatorCore

/// Makes the chart of a trace.
struct ChartMaker {
  let trace: Trace
  /// The points at which the schedule left the natural order.
  let marks: [Invariant.Shrinking.Mark]
  /// The last step to show.
  let last: Int
  private static let mostRows = 36
  private static let mostRowsOfPassing = 6

  /// Returns the chart up to the last step. The event at `difference` is always shown.
  func chart(differingAt difference: Int?) -> Explorer.Chart {
    var told = told(differingAt: difference)
    let folded = Explorer.Timeline.folded(
      told.map {
        Explorer.Timeline.Row(time: $0.told.event.time, domain: $0.told.event.domain, text: $0.told.text)
      })
    let repetition = folded.count < told.count ? folded.last : nil
    told = Array(told.prefix(repetition == nil ? told.count : folded.count - 1))
    let leftOut = max(0, told.count - Self.mostRows)
    told = Array(told.dropFirst(leftOut))
    var chart = chart(told, initial: true)
    chart.leftOut = leftOut
    if let repetition { chart.rows.append(row(repetition)) }
    chart.difference = difference.flatMap { place in told.firstIndex { $0.index >= place } }
    return chart
  }

  /// Returns the chart that starts at the event at `start`.
  func chart(from start: Int) -> Explorer.Chart {
    let told = told(differingAt: start).filter { $0.index >= start }
    var chart = chart(Array(told.prefix(Self.mostRowsOfPassing)), initial: false)
    chart.difference = chart.rows.isEmpty ? nil : 0
    let left = told.count - Self.mostRowsOfPassing
    if left > 0 {
      chart.rows.append(
        .init(
          nanoseconds: told[told.count - 1].told.event.time.nanoseconds, step: 0, lane: nil,
          text: "… and \(left.grouped) more"))
    }
    return chart
  }

  private struct Item {
    let told: TimelineRenderer.Told
    /// The position of its event in the trace.
    let index: Int
  }

  /// Returns the events that the violation depends on, with their text.
  private func told(differingAt difference: Int?) -> [Item] {
    var shown = Set(marks.filter { !$0.isAction }.map(\.step))
    if let difference, trace.events.indices.contains(difference) {
      shown.insert(trace.events[difference].step)
    }
    let slice = Slice(trace, upTo: last, showing: shown)
    var index = 0
    return TimelineRenderer(trace: trace, marks: marks).told(slice.events).map { told in
      while index < trace.events.count - 1, trace.events[index] != told.event { index += 1 }
      return Item(told: told, index: index)
    }
  }

  private func chart(_ told: [Item], initial: Bool) -> Explorer.Chart {
    let used = Set(told.map(\.told.event).filter { !trace.isFromOutside($0) }.map(\.domain))
    // The lanes of fakes, which represent the outside world, are at the right.
    let order = trace.domains.indices.filter(used.contains).sorted {
      (trace.domains[$0].kind == .fake ? 1 : 0, $0) < (trace.domains[$1].kind == .fake ? 1 : 0, $1)
    }
    let lanes = order.map {
      Explorer.Chart.Lane(name: trace.domains[$0].description.visible, kind: trace.domains[$0].kind)
    }
    let steps = Set(told.map(\.told.event).filter { !trace.isFromOutside($0) }.map(\.step))
    let values = initial ? Slice(trace, upTo: last, showing: []).initial : []
    return Explorer.Chart(
      lanes: lanes, rows: told.map { row($0.told, in: order, shown: steps) },
      initial: values.map { "\($0.name): \($0.value)".visible })
  }

  private func row(
    _ told: TimelineRenderer.Told, in order: [Int], shown: Set<Int>
  ) -> Explorer.Chart.Row {
    let event = told.event
    let lane = trace.isFromOutside(event) ? nil : order.firstIndex(of: event.domain)
    var row = Explorer.Chart.Row(
      nanoseconds: event.time.nanoseconds, step: event.step, lane: lane, text: told.text.visible)
    row.isMarked = told.isMarked
    row.task = event.task
    switch event.kind {
    case .step:
      row.isStep = true
      let places = trace.places(ofStep: event.step)
      // A fake may act on behalf of a line of the program. Its row then shows that line.
      let own = places.drop { $0.isFake }
      row.places = (own.isEmpty ? places[...] : own).prefix(4).map(SourceLines.place)
    case .began(let call), .effect(let call, _), .cancellation(let call, _), .ended(let call, _):
      row.call = call.id
    case .changed(let name, let before, let after):
      row.changes = Trace.changes(of: name, before, after).map {
        .init(
          name: $0.name.visible, before: $0.before.description.visible, after: $0.after.description.visible)
      }
    default: break
    }
    row.cause = cause(of: event.step, among: shown)
    return row
  }

  private func row(_ repetition: Explorer.Timeline.Row) -> Explorer.Chart.Row {
    .init(nanoseconds: repetition.time.nanoseconds, step: 0, lane: nil, text: repetition.text)
  }

  /// Returns the last shown step that led to `step`. Causes go back in time, so the loop ends.
  private func cause(of step: Int, among shown: Set<Int>) -> Int? {
    var step = step
    while trace.causes.indices.contains(step - 1) {
      let cause = trace.causes[step - 1]
      guard cause > 0, cause < step else { return nil }
      if shown.contains(cause) { return cause }
      step = cause
    }
    return nil
  }
}
