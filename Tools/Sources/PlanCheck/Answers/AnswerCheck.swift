import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Each function by which a program can ask the system something has a row in Documentation/ANSWERS.md, which says who answers.
public struct AnswerCheck {
  /// What the name of a function has that tells the time, a random number, who a process is, or on what it runs. Such a function
  /// is not a member of a family: its own name stands in a row.
  static let words = [
    "time", "clock", "date", "tick", "rand", "entropy", "uuid", "pid", "tid", "uid", "gid", "sid", "host",
    "user", "login",
    "uname", "env", "cwd", "cpu", "nproc", "affinity", "load", "usage", "sysinfo", "sysconf", "auxv", "tmp",
    "temp", "avphys",
    "pgrp", "zone",
  ]

  /// The libraries that are compared.
  public struct Installed {
    /// What each has, by the heading of its lists.
    let functions: [String: Set<String>]
    /// What each wants of others, by its file.
    let wanted: [String: Set<String>]
    /// What the simulator defines.
    let own: Set<String>
    /// The version of the C library: `glibc 2.39`.
    let version: String
  }

  private let table: AnswerTable
  private let installed: Installed
  private let isStrict: Bool

  /// A function without a row is a finding where the lists were made for the version that is installed, and everywhere if this
  /// `isStrict`; else a remark.
  public init(document: String, installed: Installed, isStrict: Bool) {
    table = AnswerTable(in: document)
    self.installed = installed
    self.isStrict = isStrict
  }

  public func outcome() -> Outcome {
    var findings = table.findings
    var remarks: [String] = []
    for library in table.libraries {
      let missing = self.missing(in: library)
      if isStrict || library.versions.isEmpty || library.versions.contains(installed.version) {
        findings += missing
      } else {
        remarks += missing.map { "\(installed.version): \($0.message)" }
      }
      findings += undefined(in: library)
    }
    findings += unaskedQuestions
    let count = table.libraries.reduce(0) { $0 + (installed.functions[$1.name]?.count ?? 0) }
    return Outcome(
      findings: findings, proved: "\(count) functions have a row, and those that are answered have an answer",
      remarks: remarks)
  }

  static func isQuestion(_ name: String) -> Bool { words.contains { name.contains($0) } }

  private func missing(in library: AnswerTable.Library) -> [Finding] {
    (installed.functions[library.name] ?? []).sorted().compactMap { name in
      guard let row = library.row(of: name) else {
        return Finding(
          "\(name) of \(library.name) has no row in Documentation/ANSWERS.md: say who answers it",
          kind: "no row")
      }
      guard row.isPattern, Self.isQuestion(name) else { return nil }
      return Finding(
        "\(name) of \(library.name) sounds like a question: give it a row of its own in Documentation/ANSWERS.md, "
          + "beside `\(row.pattern)`", kind: "no row of its own")
    }
  }

  private func undefined(in library: AnswerTable.Library) -> [Finding] {
    library.rows.filter { $0.fate.isOurs && !installed.own.contains($0.pattern) }.map {
      Finding(
        "ANSWERS.md:\($0.line): `\($0.pattern)` is said to be \($0.fate.rawValue.lowercased()), and "
          + "Sources/CConcurrencyHooks defines no such function", kind: "not defined")
    }
  }

  /// A library that begins to ask has entries of its own by which a program can: people look at them once.
  private var unaskedQuestions: [Finding] {
    guard let functions = installed.functions["libc"] else { return [] }
    return installed.wanted.sorted { $0.key < $1.key }.flatMap { library, wanted in
      let asks = wanted.filter { functions.contains($0) && Self.isQuestion($0) }
      let listed = table.asked.first { $0.library == library }?.names ?? []
      return asks.subtracting(listed).sorted().map {
        Finding(
          "\(library) asks `\($0)`, which Documentation/ANSWERS.md does not list", kind: "unlisted question")
      }
        + listed.subtracting(asks).sorted().map {
          Finding("\(library) does not ask `\($0)`", kind: "needless question")
        }
    }
  }
}

extension AnswerCheck.Installed {
  /// Those that this process has loaded, and those of the toolchain beside them; `objects` is where the simulator's C files
  /// have been compiled to.
  public init(objects: String) throws(Refusal) {
    // Read piece by piece: the system gives such a file no size, and a reader that trusts that may get a part of it.
    let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
    let maps = String(decoding: bytes ?? Data(), as: UTF8.self)
    let loaded = Set(
      maps.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
    guard let libc = loaded.first(where: { $0.hasSuffix("/libc.so.6") }),
      let foundation = loaded.first(where: { $0.hasSuffix("/libFoundation.so") })
    else { throw Refusal("the C library and Foundation are not among what this process has loaded") }
    let swift = URL(filePath: foundation).deletingLastPathComponent().path
    functions = [
      "libc": try SymbolTable(of: libc).functions,
      "libdispatch": try SymbolTable(of: "\(swift)/libdispatch.so").functions.filter { !$0.hasPrefix("_") },
    ]
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: swift)) ?? []).filter {
      $0.hasSuffix(".so")
    }
    var wanted: [String: Set<String>] = [:]
    for name in names { wanted[name] = try SymbolTable(of: "\(swift)/\(name)").wanted }
    self.wanted = wanted
    let found = FileManager.default.enumerator(atPath: objects)?.compactMap { $0 as? String } ?? []
    let files = found.filter { $0.hasSuffix(".o") }
    guard !files.isEmpty else { throw Refusal("\(objects) has no compiled files: build first") }
    var own: Set<String> = []
    for file in files { own.formUnion(try SymbolTable(of: "\(objects)/\(file)", isObject: true).functions) }
    self.own = own
    version = Self.versionOfLibrary
  }
}

extension AnswerCheck.Installed {
  /// The name and the version of the C library.
  fileprivate static var versionOfLibrary: String {
    #if canImport(Glibc)
      var text = [CChar](repeating: 0, count: 64)
      let length = unsafe confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
      return String(decoding: text.prefix(max(0, length - 1)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return "another C library"
    #endif
  }
}
