import Simulator

// The parts of a timeline, as a report has them.

extension Explorer.Chart: ReportObject {
  init() { self.init(lanes: [], rows: []) }

  static let about = "The events of an execution that matter, as a page draws them."
  static let keys = list {
    key("lanes", \.lanes, "The domains in which something happens, from left to right.")
    key("rows", \.rows, "The events, in order.")
    key("initial", \.initial, unless: [], "The initial state of each observed value, in words.")
    key("leftOut", \.leftOut, unless: 0, "The number of earlier rows that are left out.")
    key(
      "difference", \.difference,
      "The first row that the other execution does not have, from 0; absent if there is none.")
  }

  func complete() throws(ReportFlaw) {
    guard rows.allSatisfy({ $0.lane.map(lanes.indices.contains) ?? true }),
      difference.map(rows.indices.contains) ?? true
    else { throw ReportFlaw(.impossible) }
  }
}

extension Explorer.Chart.Lane: ReportObject {
  init() { self.init(name: "", kind: .pool) }

  static let about = "A domain."
  static let keys = list {
    key("name", \.name, "Its name.")
    key("kind", \.kind, "Its kind.")
  }
}

extension Trace.Domain.Kind: ReportWord {}

extension Explorer.Chart.Row: ReportObject {
  init() { self.init(nanoseconds: 0, step: 0, lane: nil, text: "") }

  static let about = "One event."
  static let keys = list {
    key("nanoseconds", \.nanoseconds, "The virtual time.")
    key("step", \.step, "The step, from 1; 0 before the first.")
    key("text", \.text, "The event in words.")
    key("lane", \.lane, "The index of its lane; absent for an event from outside.")
    key("task", \.task, "The number of the task.")
    key("isStep", \.isStep, unless: false, "Whether a step begins.")
    key("isMarked", \.isMarked, unless: false, "Whether the schedule leaves the natural order.")
    key("isVerdict", \.isVerdict, unless: false, "Whether an invariant is violated.")
    key("cause", \.cause, "The last step in the rows of those that made this one runnable.")
    key("call", \.call, "The number of the call that begins or ends.")
    key("changes", \.changes, unless: [], "The values that change.")
    key(
      "places", \.places, unless: [], "The place at which the step goes on, and its callers, innermost first."
    )
  }
}

extension Explorer.Chart.Change: ReportObject {
  init() { self.init(name: "", before: "", after: "") }

  static let about = "A change of an observed value."
  static let keys = list {
    key("name", \.name, "The value.")
    key("before", \.before, "Its state before.")
    key("after", \.after, "Its state after.")
  }
}

extension Explorer.Chart.Place: ReportObject {
  init() { self.init(function: "", file: "", line: 0, text: nil) }

  static let about = "A line of the program."
  static let keys = list {
    key("function", \.function, "The function.")
    key("file", \.file, "The name of the file.")
    key("line", \.line, "The line.")
    key("text", \.text, "The text of the line; absent if the file could not be read.")
    key("path", \.path, "The path of the file from the working directory; absent if it is elsewhere.")
  }
}
