import Simulator
import Testing

@testable import Scenarios

@Suite struct `The command that replays` {
  @Test(arguments: [
    (".build/x86_64-unknown-linux-gnu/debug/simrun", "swift run simrun"),
    ("../a b/.build/x86_64-unknown-linux-gnu/debug/mysim", "swift run --package-path '../a b' mysim"),
    (".build/debug/simrun", ".build/debug/simrun"), ("./mysim", "./mysim"), ("mysim", "mysim"),
    ("/a folder/tool", "'/a folder/tool'"),
    // The other build is not what `swift run` starts.
    (".build/x86_64-unknown-linux-gnu/release/simrun", ".build/x86_64-unknown-linux-gnu/release/simrun"),
  ])
  func `names the program as it was called`(_ path: String, _ command: String) {
    #expect(ReplayCommand.program(called: path, .debug) == command)
  }

  @Test func `of a release build says so`() {
    let path = ".build/x86_64-unknown-linux-gnu/release/simrun"
    #expect(ReplayCommand.program(called: path, .release) == "swift run -c release simrun")
  }
}
