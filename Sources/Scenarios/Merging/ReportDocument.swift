import Simulator

/// A JSON report as it stands in a file; `simrun schema report` says what its keys mean. What follows from the rest is not
/// read.
struct ReportDocument: Decodable {
  /// What tells whether the rest can be read.
  struct Head: Decodable {
    struct Tool: Decodable { let version: String }
    struct Shards: Decodable { let interrupted: Bool? }

    let version: Int
    let tool: Tool
    let shards: Shards?
  }

  struct Shards: Decodable {
    let count: Int
    let held: [Int]
    let executable: String
    let files: String
    let options: [String]
  }

  struct Scenario: Decodable {
    struct NotUsed: Decodable {
      let name: String
      let text: String
      let within: String?

      var unused: Unused { Unused(name: name, text: text, within: within) }
    }

    let file: String
    let line: Int
    let column: Int
    let name: String
    let about: String
    let system: String
    let seed: UInt64
    let strategy: String
    let budget: Int
    let untested: [String]
    let unused: [NotUsed]?
    let variants: [Variant]
  }

  struct Ratio: Decodable {
    let count: Int
    let total: Int
  }

  struct Variant: Decodable {
    struct Processes: Decodable {
      let kind: String
      let why: String?
      let shards: Int
    }

    struct Coverage: Decodable {
      let kind: String
      let deviations: Int?
      let actions: Int?
      let answers: Int?
      let schedules: Int
      let text: String
    }

    struct Part: Decodable {
      let behaviours: String
      let wholeSteps: Bool
      let overlappingSteps: Bool
      let untested: [Scenario.NotUsed]?
    }

    let name: String
    let expected: [String]
    let notLookedFor: [String]?
    let schedules: Int
    let failures: Int
    let behaviours: Int
    let mayHaveMoreBehaviours: Bool?
    let processes: Processes
    let steps: Int
    let exhaustion: Coverage?
    let shortfall: String?
    let interrupted: String?
    let interruption: String?
    let chanceOfNews: Ratio?
    let cancellations: Explorer.CancellationCoverage?
    let nothingToJudge: [String]
    let mayBeUntested: [String]?
    let stories: [StoryCoverage.Part]?
    let happened: [String]?
    let neverHappened: [String]?
    let warnings: [String]
    let replays: [Replay]
    let violations: [Violation]
    let part: Part?
  }

  struct Replay: Decodable {
    let token: String
    let line: Int
    let outcome: String
    let violated: [String]
    let detail: String?
  }

  struct Violation: Decodable {
    struct Shrinking: Decodable {
      let found: Int
      let choices: Int
      let deviations: [String]
      let minimal: Bool
      let executions: Int
      let reproduced: Ratio
    }

    struct Entry: Decodable {
      let nanoseconds: Int64
      let domain: String?
      let text: String
    }

    struct Nearest: Decodable {
      let token: String
      let agreed: Int
      let passing: String
      let failing: String
      let chart: Chart?
    }

    let invariant: String
    let expected: Bool
    let race: String?
    let headline: String
    let evidence: String?
    let message: String
    let nanoseconds: Int64
    let step: Int
    let schedule: Int
    let shard: Int
    let token: String
    let replayable: Bool
    let inFreshProcess: String?
    let replay: String
    let shrinking: Shrinking?
    let timeline: [Entry]
    let nearestPassing: Nearest?
    let chart: Chart?
    let explanation: String
  }

  let build: String
  let seeds: [UInt64]
  let shards: Shards
  let strict: Bool
  let scenarios: [Scenario]
  let cutShort: String?
  let warnings: [String]?
}
