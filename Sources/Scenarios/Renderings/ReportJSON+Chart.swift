import ScenarioFiles
import Simulator

extension ReportJSON {
  /// What a page draws, of a violation that is to be joined with those of other shards.
  static func chart(_ chart: Explorer.Chart) -> JSONTree {
    var object = JSONTree.Builder()
    object.add(
      "lanes", chart.lanes.map { ["name": .string($0.name), "kind": .string($0.kind.rawValue)] as JSONTree })
    object.add("rows", chart.rows.map(row))
    object.add("initial", chart.initial)
    object.add("leftOut", chart.leftOut)
    object.add("difference", chart.difference)
    return object.tree
  }

  private static func row(_ row: Explorer.Chart.Row) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("nanoseconds", Int(row.nanoseconds))
    object.add("step", row.step)
    object.add("lane", row.lane)
    object.add("text", row.text)
    object.add("task", row.task)
    object.add("isStep", row.isStep ? true : nil)
    object.add("isMarked", row.isMarked ? true : nil)
    object.add("isVerdict", row.isVerdict ? true : nil)
    object.add("cause", row.cause)
    object.add("call", row.call)
    object.add("places", row.places.isEmpty ? nil : row.places.map(place))
    return object.tree
  }

  private static func place(_ place: Explorer.Chart.Place) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("function", place.function)
    object.add("file", place.file)
    object.add("line", place.line)
    object.add("text", place.text)
    object.add("path", place.path)
    return object.tree
  }
}
