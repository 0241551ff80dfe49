import Foundation
import Testing

/// Paths of every kind, for everything that is read and written: each works, or is refused with what to do.
@Suite struct `Paths on the command line` {
  private static let json = "{\n  \"version\": 2,"

  /// A folder with a scenario file `s`, which runs in no time.
  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    _ = try scratch.write(`Reports to files`.scenario(schedules: 1), as: "s")
    return scratch
  }

  /// Runs lines of a shell in `scratch`, where `$T` is the tool; what blocks is ended.
  private func shell(_ lines: String, in scratch: Scratch) async throws -> Tool.Result {
    let file = try scratch.write(
      "cd \(scratch.folder.path)\nT='timeout 120 \(Tool.path)'\n\(lines)", as: ".lines")
    return try await Tool.shell("sh \(file)")
  }

  @Test func `a name of one character is a name like any other`() async throws {
    let scratch = try scratch()
    for arguments in [
      ["new", "slow-dismiss", "a"], ["run", "s", "--record"], ["run", "s", "--output", "json=j"],
      ["expect", "s", "--write", "--replace"], ["check", "s"],
      ["trace", "s", "leaving", "hardened", "--output", "html=h"],
      ["fuzz", "sign-in", "--variant", "naive", "--schedules", "50", "--bound", "none", "--record", "f"],
    ] {
      let result = try await Tool.run(arguments, in: scratch.folder)
      #expect(result.status == 0, "\(arguments): \(result.errors.prefix(500))")
    }
    #expect(try scratch.names() == ["a", "f", "h", "j", "s"])
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/3", "link"])
  func `an open file gets a report behind what it holds`(path: String) async throws {
    let scratch = try scratch()
    let result = try await shell(
      "ln -s /dev/stdout link; echo before >log; $T run s --output json=\(path) >>log 3>>log", in: scratch)
    #expect(result.status == 0, "\(result.errors)")
    let log = try scratch.text("log")
    #expect(log.hasPrefix("before\nseed 0, "))
    #expect(log.contains("all as expected\n" + Self.json))
    let piped = try await shell("$T run s --output json=\(path) 3>&1 | cat", in: scratch)
    #expect(piped.output.contains("all as expected\n" + Self.json), "\(piped.errors)")
    #expect(try scratch.names() == [".lines", "link", "log", "s"])
  }

  @Test func `what standard input holds is read`() async throws {
    let scratch = try scratch()
    let result = try await shell("$T run /dev/stdin <s; cat s | $T check /dev/stdin", in: scratch)
    #expect(result.output.contains("all as expected\n"), "\(result.errors)")
    #expect(result.output.hasSuffix("/dev/stdin: 1 scenario, no errors\n"))
  }

  @Test func `a named pipe is refused, and nothing waits for its other end`() async throws {
    let scratch = try scratch()
    let result = try await shell(
      """
      mkfifo p
      for c in 'check p' 'run p' 'merge p' 'run s --output json=p' 'trace s leaving naive --output html=p' \\
        'new slow-dismiss p' 'fuzz sign-in --record p' 'expect p --write'
      do $T $c >/dev/null 2>>errors; echo $?; done
      test -p p && cat errors
      """, in: scratch)
    #expect(result.output.hasPrefix(String(repeating: "2\n", count: 8)), "\(result.output)")
    #expect(result.output.ranges(of: "p: it is a named pipe, which blocks until ").count == 4)
    #expect(result.output.ranges(of: "p: is a named pipe, to which nothing may ").count == 4)
  }

  @Test(arguments: [
    ("json=d", "cannot write d: it is a directory; name a file in it"),
    ("json=d/", "cannot write d/: it is a directory"),
    ("json=n/", "cannot write n/: its name ends with a slash, as a folder's; name a file"),
    ("json=s/x", "cannot write s/x: its folder does not exist"),
    ("json=n/x", "cannot write n/x: its folder does not exist; make it first"),
    ("json=gone/x", "cannot write gone/x: its folder does not exist"),
    ("json=round", "cannot write round: "),
    ("json=/dev/fd/77", "cannot write /dev/fd/77: it is not open for writing"),
    ("json=sock", "cannot write sock: it is a socket; name a file"),
    ("json=s", "\"s\" is a scenario file of this run"),
    ("json=./d/../s", "is a scenario file of this run"),
    ("json=a\u{1B}[31m\n::error::/b", "cannot write a\\u{1b}[31m\\n::error::/b: its folder does not exist"),
    ("json=", "found \"json=\"; allowed: FORMAT=PATH"),
  ])
  func `a report is refused before anything runs where it cannot be`(
    output: String, sentence: String
  ) async throws {
    let scratch = try scratch()
    _ = try await shell(
      """
      mkdir d; ln -s nowhere gone; ln -s round round
      python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")' || exit 0
      """, in: scratch)
    let before = try scratch.text("s")
    let result = try await Tool.run(["run", "s", "--output", output], in: scratch.folder)
    if output == "json=sock", try !scratch.names().contains("sock") { return }
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(try scratch.text("s") == before)
  }

  @Test(arguments: ["a\nb", "a b", "-dashed", "\u{202E}", "::error::x", "link", "dangling", "é"])
  func `a name may hold anything, and a link stays one`(name: String) async throws {
    let scratch = try scratch()
    _ = try scratch.write("old", as: "target")
    _ = try await shell("ln -s target link; ln -s made dangling", in: scratch)
    let result = try await Tool.run(["run", "s", "--output", "json=\(name)"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try scratch.text(name).hasPrefix(Self.json))
    let checked = try await Tool.run(["check", "--", name], in: scratch.folder)
    #expect(checked.status == 2)
    #expect(!checked.errors.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(checked.errors)")
    #expect(checked.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link")) == "target")
  }

  @Test(arguments: [
    ("d", "d: is a directory; name the file in it"), ("n", "n: no such file"), ("s/", "s/: no such file"),
    ("round", "round: cannot be read: "), ("/dev/zero", "/dev/zero: is a device, which may never end"),
    ("/dev/tty", "/dev/tty: is a device"), ("/dev/fd/77", "/dev/fd/77: is not open for reading"),
    ("", "the name of a file is empty"),
  ])
  func `what cannot be read is refused, as a scenario file and as a report`(
    path: String, sentence: String
  ) async throws {
    let scratch = try scratch()
    _ = try await shell("mkdir d; ln -s round round", in: scratch)
    for command in ["check", "merge", "run"] {
      let result = try await Tool.run([command, path], in: scratch.folder)
      #expect(result.status == 2)
      #expect(result.errors.contains(sentence), "\(result.errors)")
    }
  }

  @Test(arguments: [
    "merge /dev/zero", "merge /dev/stdin </dev/zero", "merge big", "check /dev/stdin </dev/zero", "check big",
    "check /dev/stdin </dev/urandom", "merge /dev/stdin </dev/urandom",
  ])
  func `what never ends takes little memory`(command: String) async throws {
    let scratch = try scratch()
    let result = try await shell("truncate -s 3G big; ulimit -v 300000; $T \(command); echo $?", in: scratch)
    #expect(result.output.hasSuffix("2\n"), "\(result.output)\(result.errors.prefix(500))")
  }

  @Test(arguments: [
    "\u{1B}[31m", "debug/\u{1B}[31m#00000000", "debug/1\n::error::x#00000000", "\n::error::x/#00000000",
    "debug/#\n::error::x\u{1B}", "debug@\n##[error]x/#00000000", "\u{202E}/#00000000",
    String(repeating: "9", count: 100_000), "debug/1:1/2,1:1/2#00000000", "debug/#0000000g",
  ])
  func `a bad token gives no commands, to a terminal or to a runner`(token: String) async throws {
    let scratch = try scratch()
    for command in ["replay", "trace"] {
      let result = try await Tool.run([command, "s", "leaving", "naive", token], in: scratch.folder)
      #expect(result.status == 2)
      #expect(result.errors.utf8.count < 2_000)
      #expect(result.errors.contains("is no replay token: "))
      #expect(result.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
      let lines = result.errors.split(separator: "\n").map { $0.drop { $0 == " " } }
      #expect(!lines.contains { $0.hasPrefix("::") || $0.contains("##[") }, "\(result.errors)")
    }
  }

  @Test func `where there is no /proc, the tool does what it is told`() async throws {
    let scratch = try scratch()
    let unshared = "unshare -m sh -c 'mount -t tmpfs none /proc &&"
    guard try await Tool.shell("\(unshared) true'").status == 0 else { return }
    let result = try await shell(
      """
      \(unshared) \(Tool.path) check s && \(Tool.path) run s --output json=j --output junit=/dev/stdout && \\
      \(Tool.path) trace s leaving naive && \(Tool.path) new slow-dismiss n && cp j k && \\
      \(Tool.path) run s --shard 1/2 --output json=k && \(Tool.path) fuzz sign-in --schedules 50'
      """, in: scratch)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("s: 1 scenario, no errors\nseed 0, "))
    #expect(result.output.contains("leave returned"))
    #expect(try scratch.names() == [".lines", "j", "k", "n", "s"])
  }
}
