/// The shards of a run that a report holds, and what it takes for reports to be of one run.
struct ShardSet: ReportObject {
  var count = 1
  var held: [Int] = []
  var run = RunIdentity()

  static let about =
    "The shards of a run that are in this report. All reports of one run have the same executable, files, options and number "
    + "of shards."
  static let keys = list {
    key("count", \.count, "The number of shards of the run.")
    key("held", \.held, "The numbers of the shards in this report, from 1, in ascending order.")
    derived("text", \.text, "The shards in words.")
    key("executable", \.run.executable, "The fingerprint of the executable.")
    key("files", \.run.files, "The fingerprint of the names and contents of the scenario files.")
    key("options", \.run.options, "The options that decide what is searched.")
  }

  mutating func complete() throws(ReportFlaw) {
    guard ShardNumber.counts.contains(count) else { throw ReportFlaw(.impossible, at: "count") }
    guard !held.isEmpty, held.allSatisfy((1...count).contains), zip(held, held.dropFirst()).allSatisfy(<)
    else { throw ReportFlaw(.impossible, at: "held") }
  }

  /// Whether no shard is missing.
  var isWhole: Bool { held.count == count }

  /// The numbers of the shards that are not held.
  var missing: [Int] { (1...count).filter { !held.contains($0) } }
}

/// What must be the same in every shard of one run.
struct RunIdentity: Equatable, Sendable {
  /// The fingerprint of the executable.
  var executable = ""
  /// The fingerprint of the scenario files: their names and contents.
  var files = ""
  /// What the command line said about what is searched, in one order.
  var options: [String] = []
}
