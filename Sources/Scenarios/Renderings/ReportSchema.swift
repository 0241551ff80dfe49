import ScenarioFiles
import Simulator

/// The JSON Schema (draft 2020-12) of a report. It is the report's documentation: every key has a sentence.
enum ReportSchema {
  static var text: String { tree.text + "\n" }

  static var tree: JSONTree {
    let root = object(
      "What a run of scenarios came to. The same seed and build give the same bytes, but for \"milliseconds\", which is "
        + "there only with --timings. Virtual times are whole nanoseconds since an execution began.",
      required: [
        ("version", ["const": .integer(RunReport.version), "description": "Of this format."]),
        (
          "tool",
          object(
            "What wrote it.", required: [("name", text("Its name.")), ("version", text("Its version."))])
        ),
        ("build", ["enum": ["debug", "release"], "description": "The build that ran; tokens bind in it."]),
        ("seeds", list(of: count("A seed."), "What random choices were drawn from, ascending.")),
        ("strict", truth("Whether what is outdated or untested fails the run.")),
        ("asExpected", truth("Whether the run does not fail: the exit status is 0.")),
        ("summary", summary),
        ("scenarios", list(of: reference("scenario"), "In the order of the files.")),
        ("recorded", list(of: recorded, "What --record added to scenario files.")),
      ],
      optional: [
        ("shards", shards),
        ("cutShort", text("What ended the run before its time, and what was left to do.")),
        ("warnings", texts("What is to be known of the machine on which it ran.")),
        ("milliseconds", count("How long all took by the wall clock.")),
      ])
    let head: JSONTree = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Report",
    ]
    return head.with(root).with(["$defs": definitions])
  }

  private static var definitions: JSONTree {
    [
      "scenario": scenario, "variant": variant, "violation": violation, "shrinking": shrinking,
      "chart": chart,
      "replay": replay, "share": share,
    ]
  }

  private static var summary: JSONTree {
    object(
      "What all adds up to.",
      required: [
        ("scenarios", count("How many were played.")),
        ("variants", count("With how many variants in all.")),
        ("schedules", count("How many schedules were tried.")),
        ("steps", count("How many steps they had.")),
        ("notAsExpected", texts("The scenarios that fail the run.")),
        (
          "outdated",
          texts("The scenarios that do not fail it, although something that their file knows is gone.")
        ),
      ])
  }

  private static var scenario: JSONTree {
    object(
      "A scenario, played with each variant of its system.",
      required: [
        ("file", text("The file in which it stands, as it was named.")),
        ("line", count("Where it begins there, from 1.")),
        ("column", count("In Unicode scalars, from 1.")),
        ("name", text("Unique in the run.")),
        ("about", text("What a user of the app would see go wrong.")),
        ("system", text("The system that is played.")),
        ("seed", count("What its random choices were drawn from.")),
        ("strategy", text("Who decided at each choice.")),
        ("budget", count("How many schedules a variant may have.")),
        ("asExpected", truth("Whether it does not fail the run.")),
        ("untested", texts("What it says and no execution made use of, a sentence each.")),
        ("variants", list(of: reference("variant"), "In the order of the file.")),
      ],
      optional: [
        (
          "unused",
          list(of: unused, "What no execution of the shards held made use of; absent where none is missing.")
        ),
        ("milliseconds", count("How long it took by the wall clock.")),
      ])
  }

  private static var variant: JSONTree {
    object(
      "One variant in one scenario.",
      required: [
        ("name", text("The variant.")),
        ("asExpected", truth("Whether it does not fail the run.")),
        ("holds", truth("Whether something was tried and judged, and nothing was violated.")),
        ("expected", texts("The violations that the file knows; none when it is to hold.")),
        ("violated", texts("The invariants that were violated, in the order found.")),
        ("unexpected", texts("Those of them that the file does not know.")),
        ("noLongerFound", texts("The violations that the file knows and that were not found.")),
        ("schedules", count("How many schedules were tried.")),
        ("failures", count("How many of them violated something.")),
        ("behaviours", count("How many of them behaved differently.")),
        ("processes", processes),
        ("steps", count("How many steps they had.")),
        ("nothingToJudge", texts("The invariants that had nothing to judge in any execution.")),
        ("warnings", texts("What is no violation but worth knowing.")),
        ("replays", list(of: reference("replay"), "What the recorded schedules led to, in their order.")),
        ("violations", list(of: reference("violation"), "The first of each invariant, in the order found.")),
      ],
      optional: variantOptions)
  }

  private static var variantOptions: [(String, JSONTree)] {
    [
      (
        "notLookedFor",
        texts(
          "Violations that the file knows too, and that only a build with the flag for data races looks for.")
      ),
      ("stories", list(of: stories, "What stories that were made up have tried of what they could.")),
      ("happened", texts("What is to happen in some schedule, and has; sorted.")),
      ("neverHappened", texts("What is to happen in some schedule, and has in none of these; sorted.")),
      ("mayBeUntested", texts("What the file says rightly stays untested in this variant.")),
      ("exhaustion", coverage),
      (
        "interrupted",
        [
          "enum": .strings(Explorer.Report.Interruption.all.map(\.name)),
          "description": "Why the search ended before its time.",
        ]
      ),
      ("interruption", text("The same in words.")),
      ("notJudged", text("Why it could not be judged, and what to do: it neither holds nor violates.")),
      ("shortfall", text("What was to be covered completely and was not.")),
      (
        "chanceOfNews",
        described(reference("share"), "How likely the next random schedule is to behave as none before.")
      ),
      ("cancellations", cancellations),
      (
        "mayHaveMoreBehaviours", truth("Whether \"behaviours\" counts only some: there are at least so many.")
      ),
      ("part", part),
      ("milliseconds", count("How long it took by the wall clock.")),
    ]
  }

  private static var violation: JSONTree {
    object(
      "One proof that an invariant does not hold.",
      required: [
        ("invariant", text("Its name.")),
        ("expected", truth("Whether the file knows it.")),
        ("headline", text("The race and what went wrong.")),
        ("message", text("What went wrong, with the values in it.")),
        ("nanoseconds", count("The virtual time at which it was noticed.")),
        ("step", count("The step at which it was noticed.")),
        ("schedule", count("The number of the schedule that found it, from 0.")),
        ("token", text("The schedule, in the build that ran.")),
        ("replayable", truth("Whether the schedule alone decides about it.")),
        ("replay", text("The command that replays it.")),
        ("timeline", list(of: timelineEntry, "What happened, as far as it matters.")),
      ],
      optional: [
        (
          "inFreshProcess",
          [
            "enum": ["shown", "not-shown", "only-there"],
            "description":
              "What its schedule shows in a process that has run nothing before; absent where that was not tried.",
          ]
        ),
        ("race", text("The race by its name, where that is proved.")),
        ("evidence", text("Who proves it, and where.")),
        ("shard", count("The shard that found it.")),
        ("explanation", text("All of this as a person reads it, in the report of a shard.")),
        ("shrinking", reference("shrinking")),
        ("nearestPassing", nearestPassing), ("chart", reference("chart")),
      ])
  }

  private static var processes: JSONTree {
    object(
      "In which processes its executions ran.",
      required: [
        ("kind", ["enum": ["each-fresh", "one-and-fresh", "few-and-fresh", "one"]]),
        ("text", text("In words.")),
      ],
      optional: [
        ("why", text("Why none ran in a fresh process, where that was wanted.")),
        ("shards", count("How many shards tried something, each in processes of its own.")),
      ])
  }

  private static var shrinking: JSONTree {
    object(
      "How the schedule of a violation was made smaller.",
      required: [
        ("found", count("How many deviations from the natural order it had when it was found.")),
        ("choices", count("How many choices that execution had.")),
        ("deviations", texts("Those that are left, in words, in order.")),
        ("minimal", truth("Whether every schedule with fewer was tried and holds.")),
        ("executions", count("How many executions that took.")),
        ("reproduced", described(reference("share"), "How many replays showed it again.")),
      ])
  }

  private static var timelineEntry: JSONTree {
    object(
      "What happened at one moment.",
      required: [("nanoseconds", count("The virtual time.")), ("text", text("What happened."))],
      optional: [("domain", text("Where: an actor or the pool. Without it: from outside."))])
  }

  private static var nearestPassing: JSONTree {
    object(
      "The most similar schedule known under which the invariant holds.",
      required: [
        ("token", text("What replays it.")),
        ("agreed", count("How many events both share from the beginning.")),
        ("passing", text("What this one then did.")),
        ("failing", text("What the failing one then did.")),
      ], optional: [("chart", reference("chart"))])
  }

  private static var replay: JSONTree {
    object(
      "A recorded schedule, replayed.",
      required: [
        ("token", text("The schedule.")),
        ("line", count("Where it stands in its file.")),
        (
          "outcome",
          [
            "enum": ["reproduced", "hint", "harmless", "diverged", "unreadable"],
            "description":
              "It violates something again; it is of the other build and only tried; it violates nothing any more; it no longer runs as recorded; it cannot be read.",
          ]
        ),
        ("violated", texts("The invariants that it violates again.")),
      ], optional: [("detail", text("How it diverged, or why it cannot be read."))])
  }

  private static var coverage: JSONTree {
    object(
      "What was covered completely.",
      required: [
        ("kind", ["enum": ["every-schedule", "deviations", "every-behaviour", "stories"]]),
        ("schedules", count("How many schedules that took.")),
        ("text", text("In words.")),
      ],
      optional: [
        ("deviations", count("The most deviations from the natural order.")),
        ("actions", count("Of stories: the most actions.")),
        ("answers", count("Of stories: the most answers of the world that are not the natural one.")),
      ])
  }

  private static var cancellations: JSONTree {
    object(
      "How far a cancel that may come everywhere has come.",
      required: [
        ("points", count("The suspension points.")), ("covered", count("Those that had the cancel.")),
      ])
  }

  private static var recorded: JSONTree {
    object(
      "A schedule that was added to a file.",
      required: [
        ("file", text("The scenario file.")), ("scenario", text("The scenario.")),
        ("variant", text("The variant.")), ("token", text("The schedule.")),
      ])
  }

  private static var share: JSONTree {
    object(
      "So many of so many.", required: [("count", count("How many.")), ("total", count("Of how many."))])
  }
}
