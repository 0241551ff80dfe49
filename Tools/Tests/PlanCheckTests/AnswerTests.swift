import Foundation
import Testing

@testable import PlanCheck

/// The check that each question to the system has a row in Documentation/ANSWERS.md.
struct AnswerTests {
  private static let document = """
    # Answers
    ## libc
    Made for glibc 2.36, glibc 2.39.
    ### Answered
    - `clock_gettime`, `getpid`: the virtual time: as
      ever.
    ### The same
    - `getuid`: the user.
    ### No question
    - `str*`, `clock_*`: text.
    ## What the libraries ask
    Words.
    - `libA.so`: `getpid`.
    """

  private func outcome(
    _ functions: Set<String>, own: Set<String> = ["clock_gettime", "getpid"],
    wanted: [String: Set<String>]? = nil,
    version: String = "glibc 2.36", isStrict: Bool = false, in document: String = Self.document
  ) -> Outcome {
    let installed = AnswerCheck.Installed(
      functions: ["libc": functions.union(["getpid"])], wanted: wanted ?? ["libA.so": ["getpid"]], own: own,
      version: version)
    return AnswerCheck(document: document, installed: installed, isStrict: isStrict).outcome()
  }

  private func findings(_ functions: Set<String>) -> [String] { outcome(functions).findings.map(\.message) }

  @Test func `a function with a row or in a family is none`() {
    #expect(findings(["clock_gettime", "strlen", "getuid", "__strlen_chk"]) == [])
  }

  @Test func `a function without a row is a finding`() {
    #expect(
      findings(["memcpy"]) == ["memcpy of libc has no row in Documentation/ANSWERS.md: say who answers it"])
  }

  @Test func `what sounds like a question needs its own name in a row`() {
    let found = findings(["clock_foo", "getrandom2"])
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("clock_foo of libc sounds like a question") == true)
    #expect(found.last?.hasPrefix("getrandom2 of libc has no row") == true)
  }

  @Test func `a second name of what is answered needs a row`() {
    #expect(findings(["__getpid"]).first?.hasPrefix("__getpid of libc has no row") == true)
    #expect(findings(["__getuid"]) == [])
  }

  @Test func `what is said to be answered is defined`() {
    #expect(
      outcome([], own: ["getpid"]).findings.map(\.message) == [
        "ANSWERS.md:5: `clock_gettime` is said to be answered, and Sources/CConcurrencyHooks defines no such function"
      ])
  }

  @Test func `another version of the library is a remark, or a finding where that is wished`() {
    let lenient = outcome(["memcpy"], version: "glibc 2.99")
    #expect(lenient.findings == [] && lenient.remarks.first?.hasPrefix("glibc 2.99: memcpy of libc") == true)
    #expect(outcome(["memcpy"], version: "glibc 2.99", isStrict: true).findings.count == 1)
  }

  @Test func `a library that begins to ask is a finding`() {
    let found = outcome(
      ["getrandom"], wanted: ["libA.so": ["getpid", "getrandom", "strlen"], "libB.so": []])
    #expect(
      found.findings.map(\.message).contains(
        "libA.so asks `getrandom`, which Documentation/ANSWERS.md does not list"))
    let silent = outcome([], wanted: ["libA.so": []]).findings.map(\.message)
    #expect(silent == ["libA.so does not ask `getpid`"])
  }

  @Test func `a fate that is none and a row without a reason are findings`() {
    let found = outcome(
      [], own: [], wanted: [:], in: "## libc\n### Perhaps\n- `a`: b\n### The same\n- `getpid`\n")
    #expect(
      found.findings.map(\.message) == ["ANSWERS.md:2: “Perhaps” is no fate", "ANSWERS.md:5: no reason"])
  }

  /// The lists as they are.
  private static var lists: AnswerTable {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Documentation/ANSWERS.md")
    return AnswerTable(in: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
  }

  @Test(arguments: [
    "strlcpy", "wcslcat", "__strlcpy_chk", "__isoc23_strtol_l", "__isoc23_wscanf", "pidfd_spawn",
    "pidfd_getpid",
    "posix_spawnattr_getcgroup_np", "stdc_leading_zeros_ui",
  ])
  func `the lists have rows for newer versions of the C library`(_ name: String) throws {
    let library = try #require(Self.lists.libraries.first { $0.name == "libc" })
    #expect(library.row(of: name) != nil)
  }

  @Test(arguments: ["clock_foo", "getrandom2", "gettimeofday2", "timespec_now", "mygethostid", "getcpu2"])
  func `the lists have no row of its own for a question of the future`(_ name: String) throws {
    let library = try #require(Self.lists.libraries.first { $0.name == "libc" })
    #expect(library.row(of: name).map(\.isPattern) ?? true)
    #expect(AnswerCheck.isQuestion(name))
  }

  @Test func `an ELF file tells the functions that a program can be linked with`() throws {
    // A string made of the whole file would hold its first page only: the system gives such a file no size.
    let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
    let maps = String(decoding: try #require(bytes), as: UTF8.self)
    let path = try #require(maps.split(whereSeparator: \.isWhitespace).first { $0.hasSuffix("/libc.so.6") })
    let table = try SymbolTable(of: String(path))
    #expect(table.functions.isSuperset(of: ["clock_gettime", "strlen", "fork"]))
    // Kept for its own kind, and data.
    #expect(table.functions.isDisjoint(with: ["__libc_fork", "_dl_signal_error", "environ"]))
  }
}
