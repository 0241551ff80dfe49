import Foundation
import TestEffort
import Testing

@Suite struct `A new scenario` {
  @Test func `of every system runs at once, as expected, and shows every variant`() async throws {
    let scratch = try Scratch()
    let all = try await Tool.run("list").lines.compactMap { line in
      line.firstMatch(of: #/^([A-Za-z0-9][^ ]*)  /#).map { String($0.output.1) }
    }
    try #require(all.count >= 20)
    let systems = all.enumerated().filter { $0.offset.isMultiple(of: tries(12, all: 1)) }.map(
      \.element)
    let files = systems.map { scratch.path("\($0).json") }
    for (system, file) in zip(systems, files) {
      let made = try await Tool.run("new", system, file)
      #expect(made.status == 0, "\(system): \(made.output)\(made.errors)")
    }
    let run = try await Tool.run(["run", "--verbose"] + files)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(!run.output.contains("NO LONGER FOUND"), "\(run.output)")
    #expect(run.output.contains("\n\(systems.count) scenarios, "))
  }

  @Test func `is printed, and written to a file that is not there yet, but never over one`() async throws {
    let scratch = try Scratch()
    let printed = try await Tool.run("new", "sign-in")
    #expect(printed.status == 0, "\(printed.errors)")
    #expect(printed.errors == "")
    let path = scratch.path("a.json")
    let written = try await Tool.run("new", "sign-in", path)
    #expect(written.output.hasPrefix("\(path): the scenario my-sign-in, to start from"))
    #expect(try scratch.text("a.json") == printed.output)
    _ = try scratch.write("mine", as: "a.json")
    let again = try await Tool.run("new", "sign-in", path)
    #expect(again.status == 2)
    #expect(again.errors.contains("is there already, and may be a person's"))
    #expect(try scratch.text("a.json") == "mine")
  }

  @Test(arguments: [
    (["sign-im"], #"unknown system "sign-im"; did you mean "sign-in"?"#),
    ([], "SYSTEM is missing; usage: simrun new"),
    (["sign-in", "/nowhere/a.json"], "cannot write /nowhere/a.json: its folder does not exist"),
  ])
  func `that cannot be made is refused with its cure`(arguments: [String], sentence: String) async throws {
    let result = try await Tool.run(["new"] + arguments)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }
}
