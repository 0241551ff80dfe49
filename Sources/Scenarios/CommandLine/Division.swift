import ScenarioFiles
import Simulator

/// What a run is asked to play of its search.
enum ShardChoice: Equatable, Sendable {
  /// One shard; another run plays the others.
  case one(ShardNumber)
  /// So many shards, one after the other.
  case all(Int)

  /// What asks for it.
  var option: Option {
    switch self {
    case .one: .shard
    case .all: .shards
    }
  }
}

/// A run that is divided into shards.
struct Division: Equatable, Sendable {
  let choice: ShardChoice
  let run: RunIdentity

  /// What the report of one of them says of it.
  func set(of shard: ShardNumber) -> ShardSet {
    ShardSet(count: shard.count, held: [shard.index], run: run)
  }
}

extension RunIdentity {
  /// Of a run of `files` with `options`.
  init(_ options: RunOptions, _ files: [ScenarioFile]) throws {
    var texts = Fingerprint()
    for file in files {
      texts.add(file.name)
      texts.add(file.bytes)
    }
    self.init(
      executable: "\(try Executable.fingerprint())", files: "\(texts)", options: options.searching)
  }
}

extension RunIdentity {
  /// Of a run of stories that are made up.
  init(_ options: FuzzOptions) throws {
    let stories = options.stories
    let bound = stories.bound.map { "\($0.actions),\($0.answers),\($0.deviations)" } ?? "none"
    self.init(
      executable: "\(try Executable.fingerprint())", files: CommandLineTool.madeUp,
      options: options.systems + options.variants + options.filters.map { "--filter=\($0.pattern)" } + [
        "\(stories.drawn)", "\(stories.seed)", "\(stories.atMost)", bound, "\(options.isStrict)",
      ])
  }
}

extension RunOptions {
  /// What decides about what is searched, and how it is judged.
  fileprivate var searching: [String] {
    let values: [(Option, String?)] = [
      (.filter, filters.isEmpty ? nil : filters.map(\.pattern).joined(separator: ",")),
      (.schedules, overrides.schedules.map(String.init)),
      (.seed, overrides.seed.map(String.init)), (.strategy, overrides.strategy),
    ]
    let flags: [(Option, Bool)] = [
      (.holding, isHoldingOnly), (.fresh, overrides.isFresh), (.strict, isStrict),
    ]
    return values.compactMap { option, value in value.map { "\(option.rawValue)=\($0)" } }
      + flags.filter(\.1).map { $0.0.rawValue }
  }
}
