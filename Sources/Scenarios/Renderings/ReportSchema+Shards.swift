import ScenarioFiles

extension ReportSchema {
  static var shards: JSONTree {
    object(
      "Of which shards of a run this is the report; absent where the run was not divided. All of a run agree in the "
        + "executable, the files, the options and the number of shards.",
      required: [
        ("count", count("How many shards the run has.")),
        (
          "held",
          list(of: count("The number of a shard, from 1."), "Those that this report holds, ascending.")
        ),
        ("text", text("The same in words.")),
        ("executable", text("The fingerprint of the executable.")),
        ("files", text("The fingerprint of the scenario files: their names, and all that stands in them.")),
        ("options", texts("What the command line said about what is searched.")),
      ],
      optional: [("interrupted", truth("Whether a signal has ended it: then it is not joined with others."))])
  }

  static var unused: JSONTree {
    object(
      "Something that no execution made use of.",
      required: [
        ("name", text("What a scenario file calls it, under \"untested\".")),
        ("text", text("What never happened, a sentence.")),
      ],
      optional: [
        (
          "within",
          text(
            "The name of what would have had to happen before: if that stands here, this one goes without "
              + "saying.")
        )
      ])
  }

  static var part: JSONTree {
    object(
      "What it takes to join it with the same variant of other shards; absent where no shard is missing.",
      required: [
        (
          "behaviours",
          text(
            "The behaviors that were told apart, ascending, of many those with the smallest digests: for each sixteen "
              + "hexadecimal digits, and 0, 1 or 2: in how many independent samples it was seen, 2 for more.")
        ),
        ("wholeSteps", truth("Whether a shard has searched without leaving steps in their middle.")),
        ("overlappingSteps", truth("Whether a shard has left steps in their middle.")),
      ],
      optional: [
        (
          "untested",
          list(
            of: unused, "What no execution has used or judged; absent where the variant is not to hold.")
        )
      ])
  }
}
