internal import CProcesses
import Simulator

/// How scenarios are played.
struct PoolSettings: Equatable, Sendable {
  /// How many workers play at the same time. One more than there are processors: a worker often waits, for a thread of the
  /// program or for a fresh process.
  var jobs = Int(cp_processors()) + 1
  /// After how much real time the search ends.
  var timeLimit: Duration?
  var limits = Explorer.ProcessLimits.usual
  /// The part of each search that is run; nil for the whole.
  var shard: ShardNumber?

  /// What `--jobs` may say.
  static let jobLimits = 1...256
}
