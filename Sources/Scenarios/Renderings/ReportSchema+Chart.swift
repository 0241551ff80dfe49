import ScenarioFiles
import Simulator

extension ReportSchema {
  static var chart: JSONTree {
    object(
      "What a page draws of an execution, in the report of a shard.",
      required: [
        ("lanes", list(of: lane, "Where something happens, from left to right.")),
        ("rows", list(of: row, "What happens, in order.")),
        ("initial", texts("What each observed value was at first.")),
        ("leftOut", count("How many earlier rows were left out.")),
      ],
      optional: [
        (
          "difference",
          count("The first row that the run beside it does not have, from 0; absent where there is none.")
        )
      ])
  }

  private static var lane: JSONTree {
    object(
      "A domain.",
      required: [
        ("name", text("Its name.")),
        ("kind", ["enum": ["pool", "mainActor", "actor", "fake", "executor", "queue", "thread"]]),
      ])
  }

  private static var row: JSONTree {
    object(
      "One thing that happens.",
      required: [
        ("nanoseconds", count("The virtual time.")), ("step", count("The step; 0 before the first.")),
        ("text", text("What happens.")),
      ],
      optional: [
        ("lane", count("Where, from 0. Without it: from outside.")),
        ("task", count("The number of the task.")),
        ("isStep", truth("Whether a step begins.")),
        ("isMarked", truth("Whether the schedule leaves the natural order.")),
        ("isVerdict", truth("Whether an invariant is violated.")),
        ("cause", count("The last step in the rows of those that made this one runnable.")),
        ("call", count("The number of the call that begins or ends.")),
        ("places", list(of: place, "Where the step goes on, and its callers, innermost first.")),
      ])
  }

  private static var place: JSONTree {
    object(
      "A line of the program.",
      required: [
        ("function", text("The function.")), ("file", text("The name of the file.")),
        ("line", count("The line.")),
      ],
      optional: [
        ("text", text("What stands there, where the file could be read.")),
        ("path", text("The path of the file, where it lies in the folder from which the tool was called.")),
      ])
  }
}
