/// The shards of a run that a report holds, and what it takes for reports to be of one run.
struct ShardSet: Equatable, Sendable {
  /// How many shards the run has.
  let count: Int
  /// The numbers of those that are held, ascending.
  let held: [Int]
  let run: RunIdentity
  /// Whether a signal has ended one of them before its end.
  var isInterrupted = false

  /// Whether no shard is missing.
  var isWhole: Bool { held.count == count }

  /// Those that are not held.
  var missing: [Int] { (1...count).filter { !held.contains($0) } }
}

/// What must be the same in every shard of one run.
struct RunIdentity: Equatable, Sendable {
  /// The fingerprint of the executable.
  let executable: String
  /// The fingerprint of the scenario files: their names and all that stands in them.
  let files: String
  /// What the command line said about what is searched, in one order.
  let options: [String]
}
