import Foundation
import Testing

@testable import Scenarios

/// The files of Examples/CI, which nobody runs here. `.ci/ready-files` checks their structure.
@Suite struct `Ready files for CI` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/CI")

  /// The commands of the tool in a file, as the third of its machines performs them.
  private static func commands(in file: String) throws -> [Command] {
    let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    return try text.split(separator: "\n").filter { $0.contains(/simrun (--|merge)/) && !$0.contains("#") }
      .map { line in
        let third = line.replacing("${{ matrix.shard }}", with: "3")
          .replacing("$((JOB_COMPLETION_INDEX + 1))", with: "3")
          .replacing("\"$GITHUB_STEP_SUMMARY\"", with: "summary.md").split(separator: " || ")[0]
        let words = third.split(separator: " ").drop { !$0.hasSuffix("simrun") }.dropFirst()
        return try Command(words.map(String.init), in: .test)
      }
  }

  @Test(arguments: ["github.yml", "kubernetes.yml"])
  func `each runs a shard and merges what all have written`(file: String) throws {
    let commands = try Self.commands(in: file)
    try #require(commands.count == 2)
    guard case .run(let run) = commands[0], case .merge(let merge) = commands[1] else {
      Issue.record("\(commands)")
      return
    }
    #expect(run.shards == .one(ShardNumber(index: 3, count: 16)))
    #expect(run.isStrict)
    #expect(run.outputs.files.map(\.format) == [.json])
    #expect(!merge.isPartial)
    #expect(merge.files.count == 1)
    #expect(merge.files[0].hasSuffix(".json"))
  }

  @Test func `a pull request is judged strictly, and told in every way that GitHub reads`() throws {
    let commands = try Self.commands(in: "pull-request.yml")
    guard commands.count == 1, case .run(let run) = commands[0] else {
      Issue.record("\(commands)")
      return
    }
    #expect(run.isStrict)
    #expect(run.outputs.format == .github)
    #expect(run.outputs.files.map(\.format) == [.summary, .sarif, .junit, .html])
  }
}
