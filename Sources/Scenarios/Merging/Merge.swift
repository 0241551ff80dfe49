import Foundation
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
    let report = try read(Data(bytes), named: file)
    guard let shards = report.shards else { throw .notDivided(file) }
    return Source(file: file, report: report, shards: shards)
  }

  /// The report whose JSON `bytes` are.
  static func read(_ bytes: Data, named file: String) throws(MergeFault) -> RunReport {
    let decoder = JSONDecoder()
    do {
      let head = try decoder.decode(ReportDocument.Head.self, from: bytes)
      guard head.version == RunReport.version else {
        throw MergeFault.otherVersion(file, found: head.version)
      }
      guard head.tool.version == ToolIdentity.version else {
        throw MergeFault.otherTool(file, found: head.tool.version)
      }
      guard let shards = head.shards else { throw MergeFault.notDivided(file) }
      if shards.interrupted == true { throw MergeFault.interrupted(file) }
      return try decoder.decode(ReportDocument.self, from: bytes).report()
    } catch let fault as MergeFault {
      throw fault
    } catch let flaw as ReportFlaw {
      throw .noReport(file, reason: "“\(flaw.key)” says what no report says")
    } catch let error as DecodingError {
      throw .noReport(file, reason: error.reason)
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
      scenario.variants.map { [scenario.file, scenario.name, $0.name] + $0.expected }
    }
  }
}

extension DecodingError {
  /// What is wrong, and where.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context): "“\(Self.path(context, key))” is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "“\(Self.path(context))” is of another kind"
    case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is no JSON, or only a part of it"
    case .dataCorrupted(let context): "“\(Self.path(context))” cannot be read"
    @unknown default: "it cannot be read"
    }
  }

  private static func path(_ context: Context, _ key: (any CodingKey)? = nil) -> String {
    (context.codingPath + [key].compactMap(\.self)).map { $0.intValue.map(String.init) ?? $0.stringValue }
      .joined(separator: ".")
  }
}
