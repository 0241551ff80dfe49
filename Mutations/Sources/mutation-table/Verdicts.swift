import Foundation
import Mutator

/// The verdicts of earlier runs, a line of JSON each; what is new is added as soon as it is known.
actor Verdicts {
  private(set) var known: [Mutant.Key: Judged] = [:]
  private let file: URL?
  private var count = 0

  /// Reads what is known, but for what is to be judged again.
  init(_ path: String?, forgetting systems: Set<String>, survivors: Bool) throws {
    file = path.map { URL(filePath: $0) }
    guard let file, let data = try? Data(contentsOf: file) else { return }
    for line in data.split(separator: UInt8(ascii: "\n")) {
      let one = try JSONDecoder().decode(Judged.self, from: Data(line))
      let isToBeJudged =
        systems.contains(one.system) || !one.verdict.isFinal || survivors && !one.verdict.isKilled
      known[one.key] = isToBeJudged ? nil : one
    }
    try write(known.values.sorted { ($0.system, $0.line) < ($1.system, $1.line) }, afresh: true)
  }

  func add(_ one: Judged) throws {
    known[one.key] = one
    try write([one], afresh: false)
    count += 1
    FileHandle.standardOutput.write(
      Data(
        "\(count)\t\(one.system) \(one.line) \(one.key.mutation): \(one.key.text): \(one.verdict.text)\n".utf8
      ))
  }

  private nonisolated func write(_ judged: [Judged], afresh: Bool) throws {
    guard let file else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var data = Data()
    for one in judged { data += try encoder.encode(one) + Data("\n".utf8) }
    if afresh || !FileManager.default.fileExists(atPath: file.path) { return try data.write(to: file) }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: data)
  }
}
