import Simulator

/// What a variant's report keeps besides, so that others can be joined with it.
struct VariantPart: Equatable, Sendable {
  let behaviors: Explorer.BehaviorDigests
  /// Whether some shard has searched without leaving steps in their middle, and whether some has left them.
  let hasWholeSteps: Bool
  let hasOverlappingSteps: Bool
}

extension VariantPart {
  init(_ report: Explorer.Report) {
    // A search that was ended has not said which behaviors it had seen.
    behaviors = report.digests ?? .none(isWhole: report.schedules == 0)
    hasWholeSteps = report.schedules > 0 && !report.overlaps
    hasOverlappingSteps = report.schedules > 0 && report.overlaps
  }
}

/// What a variant's report says of the shards that it holds.
struct ShardedSearch: Equatable, Sendable {
  /// How many of them have tried something.
  let searching: Int
  /// Whether shards are missing that may have tried something.
  let isPart: Bool
  /// Whether there may be more behaviors than are counted.
  let mayHaveMoreBehaviors: Bool
  /// What it takes to join it with others; nil where none is missing.
  let part: VariantPart?
}

extension VariantReport {
  /// Whether some schedule was tried, be it one that counts in another shard.
  var hasTried: Bool { schedules > 0 || !violations.isEmpty }
}

extension [ViolationReport] {
  /// In the order of their schedules; of two shards, the lower one first. Those of one schedule stay as they were.
  var inOrder: [ViolationReport] {
    enumerated().sorted {
      ($0.element.number, $0.element.shard ?? 0, $0.offset) < (
        $1.element.number, $1.element.shard ?? 0, $1.offset
      )
    }.map(\.element)
  }
}
