import Foundation
import Testing

@testable import ScenarioFiles

@Suite struct IncludeTests {
  @Test func `the scenarios of an included file follow those of the file that includes it`() throws {
    let folder = try Folder([
      "all.json": including("more/inbox.json", and: named("first")),
      "more/inbox.json": file(named("second")),
    ])
    let files = try folder.loaded("all.json")
    #expect(files.map { $0.scenarios.map(\.name) } == [["first"], ["second"]])
    #expect(files.map(\.name) == [folder.path("all.json"), folder.path("more/inbox.json")])
  }

  @Test func `a file may do nothing but include`() throws {
    let folder = try Folder([
      "all.json": #"{ "version": 1, "include": ["a.json"] }"#, "a.json": file(named("only")),
    ])
    #expect(try folder.loaded("all.json").flatMap { $0.scenarios.map(\.name) } == ["only"])
  }

  @Test(arguments: ["../outside.json", "/etc/passwd", "a/../../b.json", "", "a//b.json", "./../a.json"])
  func `an included file never leaves the folder`(path: String) throws {
    let folder = try Folder(["all.json": #"{ "version": 1, "include": ["\#(path)"] }"#])
    let fault = try #require(folder.faults("all.json").first)
    #expect(fault.contains("all.json:1:29: error: found \"\(path)\"; an included file stands in the folder"))
  }

  @Test(arguments: [("./a.json", "a.json"), ("b/./a.json", "b/a.json")])
  func `a path with a dot in it is written without`(path: String, plain: String) throws {
    let folder = try Folder(["all.json": #"{ "version": 1, "include": ["\#(path)"] }"#])
    let fault = try #require(folder.faults("all.json").first)
    #expect(fault.hasSuffix("error: found \"\(path)\"; write \"\(plain)\", without \"./\""), "\(fault)")
  }

  @Test func `not by a link either`() throws {
    let outside = try Folder(["secret.json": file(named("only"))])
    let folder = try Folder(["all.json": #"{ "version": 1, "include": ["link.json"] }"#])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: outside.path("secret.json"))
    #expect(folder.faults("all.json").contains { $0.contains("an included file stands in the folder") })
  }

  @Test func `nor by a link to a folder`() throws {
    let outside = try Folder(["secret.json": file(named("only"))])
    let folder = try Folder(["all.json": #"{ "version": 1, "include": ["sub/secret.json"] }"#])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("sub"), withDestinationPath: outside.path("."))
    #expect(folder.faults("all.json").contains { $0.contains("an included file stands in the folder") })
  }

  @Test func `a link inside the folder is followed, and one in a circle is an error`() throws {
    let folder = try Folder([
      "all.json": #"{ "version": 1, "include": ["link.json"] }"#, "a.json": file(named("only")),
      "circle.json": #"{ "version": 1, "include": ["round.json"] }"#,
    ])
    for (link, target) in [("link.json", "a.json"), ("round.json", "round.json")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(link), withDestinationPath: target)
    }
    #expect(try folder.loaded("all.json").count == 2)
    #expect(folder.faults("circle.json").count == 1)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a pipe is not waited for`() throws {
    let folder = try Folder(["all.json": #"{ "version": 1, "include": ["pipe.json"] }"#])
    #expect(unsafe mkfifo(folder.path("pipe.json"), 0o600) == 0)
    #expect(folder.faults("all.json").contains { $0.contains("pipe.json: is a named pipe") })
  }

  @Test(.timeLimit(.minutes(30)))
  func `too many files are refused`() throws {
    let names = (0..<1_010).map { "\($0).json" }
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    var files = Dictionary(uniqueKeysWithValues: names.map { ($0, #"{ "version": 1, "include": [ "x" ] }"#) })
    files["all.json"] = #"{ "version": 1, "include": [\#(list)] }"#
    let faults = try Folder(files).faults("all.json")
    #expect(faults.last?.contains("too much is included; allowed: 1000 files") == true)
    #expect(faults.count { $0.contains("too much is included") } == 1)
  }

  @Test func `files that include each other are refused`() throws {
    let folder = try Folder([
      "a.json": #"{ "version": 1, "include": ["b.json"] }"#,
      "b.json": #"{ "version": 1, "include": ["a.json"] }"#,
    ])
    #expect(
      folder.faults("a.json") == [
        "\(folder.path("b.json")):1:29: error: \"a.json\" is included already; remove one"
      ])
  }

  @Test func `a missing file is reported where it is named`() throws {
    let folder = try Folder(["all.json": #"{ "version": 1, "include": ["gone.json"] }"#])
    let fault = try #require(folder.faults("all.json").first)
    #expect(fault.hasPrefix("\(folder.path("all.json")):1:29: error: cannot include "))
    #expect(fault.contains("no such file"))
  }

  @Test func `all errors of all files come in one go, and a name is given once among all`() throws {
    let folder = try Folder([
      "all.json": including("a.json", "b.json", "c.json", and: named("same")),
      "a.json": file(named("same")), "b.json": file(named("bad name")), "c.json": "{",
    ])
    let faults = folder.faults("all.json")
    #expect(faults.count == 3)
    #expect(faults.contains { $0.hasPrefix(folder.path("b.json")) && $0.contains("bad name") })
    #expect(faults.contains { $0.hasPrefix(folder.path("c.json")) })
    #expect(
      faults.contains {
        $0.hasPrefix(folder.path("a.json")) && $0.contains("stands already at \(folder.path("all.json")):")
      })
  }

  private func named(_ name: String) -> String {
    let scenario = ExampleFile.with("leaving-while-loading", as: name)
    let start = scenario.range(of: "[ {")!.upperBound
    let end = scenario.range(of: "} ] }", options: .backwards)!.lowerBound
    return "{" + scenario[start..<end] + "}"
  }

  private func file(_ scenario: String) -> String { #"{ "version": 1, "scenarios": [\#(scenario)] }"# }

  private func including(_ paths: String..., and scenario: String) -> String {
    let list = paths.map { "\"\($0)\"" }.joined(separator: ", ")
    return #"{ "version": 1, "include": [\#(list)], "scenarios": [\#(scenario)] }"#
  }

  /// A folder with files, removed when the test is over.
  private final class Folder {
    private let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "include-\(UUID().uuidString)")

    init(_ files: [String: String]) throws {
      for (name, text) in files {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func loaded(_ name: String) throws -> [ScenarioFile] {
      try ScenarioFile.all(from: path(name), in: .test)
    }

    func faults(_ name: String) -> [String] {
      do throws(LoadingFaults) {
        _ = try ScenarioFile.all(from: path(name), in: .test)
        return []
      } catch {
        return error.all.map(\.description)
      }
    }
  }
}
