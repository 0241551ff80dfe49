import ScenarioFiles
import SimulatorFiles

/// Reports of shards, read from files and joined.
enum Merge {
  /// A report and the file in which it stands.
  struct Source {
    let file: String
    let report: RunReport
    let shards: ShardSet
  }

  /// The largest report that is read.
  private static let mostBytes = 1 << 28

  /// The report of all shards whose reports stand in `files`. With `partial` some may be missing.
  static func report(of files: [String], partial: Bool) throws(MergeFault) -> RunReport {
    var sources: [Source] = []
    for file in files { sources.append(try source(file)) }
    let report = try joined(sources)
    if let shards = report.shards, !partial, !shards.isWhole {
      throw .missing(shards.missing, of: shards.count)
    }
    return report
  }

  private static func source(_ file: String) throws(MergeFault) -> Source {
    let bytes: [UInt8]
    do throws(UnreadableFile) {
      bytes = try SourceFile.bytes(of: file, limit: mostBytes)
    } catch {
      throw .unreadable(error)
    }
    if bytes.count > mostBytes { throw .tooLarge(file, mebibytes: mostBytes >> 20) }
    let report = try read(bytes, named: file)
    guard let shards = report.shards else { throw .notDivided(file) }
    if case .signal = report.ending.reason { throw .interrupted(file) }
    return Source(file: file, report: report, shards: shards)
  }

  /// The report whose JSON `bytes` are.
  static func read(_ bytes: [UInt8], named file: String) throws(MergeFault) -> RunReport {
    guard let tree = JSONTree(reading: bytes, limit: mostBytes) else {
      throw .noReport(file, reason: "it is no JSON, or only a part of it")
    }
    if case .integer(let version)? = tree["version"], version != RunReport.version {
      throw .otherVersion(file, found: version)
    }
    if case .string(let version)? = tree["tool"]?["version"], version != ToolIdentity.version {
      throw .otherTool(file, found: version)
    }
    if tree["shards"] == nil { throw .notDivided(file) }
    do throws(ReportFlaw) {
      let report = try RunReport(tree)
      // What follows from other parts must agree with them.
      if let path = report.json.difference(from: tree) { throw ReportFlaw(.contradiction, at: path) }
      return report
    } catch {
      throw .noReport(file, reason: "\(error)")
    }
  }

  /// All of them as one; they are of one run, and no shard stands in two of them.
  private static func joined(_ sources: [Source]) throws(MergeFault) -> RunReport {
    let sorted = sources.sorted { ($0.shards.held[0], $0.file) < ($1.shards.held[0], $1.file) }
    var owners: [Int: String] = [:]
    for source in sorted {
      if let difference = source.difference(from: sorted[0]) {
        throw .different(source.file, from: sorted[0].file, difference)
      }
      for shard in source.shards.held {
        if let other = owners.updateValue(source.file, forKey: shard) {
          throw .doubled(shard, source.file, other)
        }
      }
    }
    return sorted.dropFirst().reduce(sorted[0].report) { $0.joined(with: $1.report) }
  }
}

extension Merge.Source {
  /// In what it is of another run.
  fileprivate func difference(from other: Merge.Source) -> MergeFault.Difference? {
    if shards.count != other.shards.count { return .shards }
    if shards.run.executable != other.shards.run.executable || report.build != other.report.build {
      return .executable
    }
    if shards.run.files != other.shards.run.files { return .files }
    if report.seeds != other.report.seeds { return .seed }
    if shards.run.options != other.shards.run.options || report.isStrict != other.report.isStrict {
      return .options
    }
    return report.outline == other.report.outline ? nil : .scenarios
  }
}

extension RunReport {
  /// The scenarios with their variants and what these are expected to violate.
  fileprivate var outline: [[String]] {
    scenarios.flatMap { scenario in
      scenario.variants.map { [scenario.file, scenario.name, $0.name] + $0.expected + $0.mustTestNothing }
    }
  }
}
