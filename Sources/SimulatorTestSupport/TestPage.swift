internal import Foundation
internal import Simulator
internal import SimulatorFiles
package import SimulatorReports

/// The browser page that simulated tests write if the environment variable `SIMULATOR_PAGE` names a file: one page for
/// all processes of a test run, rewritten after each search.
///
/// The page also carries its contents as data. The next process of the run reads them and adds its own; a page of
/// another run is replaced.
package enum TestPage {
  private static let path = ProcessInfo.processInfo.environment["SIMULATOR_PAGE"].flatMap {
    $0.isEmpty ? nil : $0
  }
  /// The subjects of this process.
  private static let subjects = Guarded<[Page.Subject]>([])

  /// True if a page is requested.
  package static var isWanted: Bool { path != nil }

  /// Adds the findings of a test, and writes the page, if one is requested. Returns why it could not be written; nil if
  /// it was.
  package static func add(_ subject: () -> Page.Subject) -> String? {
    guard let path else { return nil }
    let subject = subject()
    // One writer at a time, so that the last page has everything.
    return subjects.withLock { subjects in
      subjects.append(subject)
      return FolderLock.held(besides: path) { write(subjects, to: path) }
    }
  }

  private static func write(_ subjects: [Page.Subject], to path: String) -> String? {
    var run = Run(name: TestRun.name)
    if let earlier = Run(ofPage: path), earlier.name == run.name { run = earlier }
    let isFirst = run.subjects.isEmpty
    run.subjects[TestRun.process] = subjects
    do throws(WriteFault) {
      try AtomicFile(path).write(Array(page(of: run).html.utf8))
    } catch {
      return "the page of `SIMULATOR_PAGE` is lost: \(error)"
    }
    if isFirst { print("a page of what is found, for a browser: \(URL(fileURLWithPath: path).path)") }
    return nil
  }

  /// The data that the page of a run carries.
  fileprivate struct Run: Codable {
    let name: String
    /// The findings of each of its processes.
    var subjects: [String: [Page.Subject]] = [:]
  }

  private static func page(of run: Run) -> Page {
    let subjects = run.subjects.sorted { $0.key < $1.key }.flatMap(\.value)
    var page = page(of: subjects.sorted { ($0.place, $0.name) < ($1.place, $1.name) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    page.attachment = (try? encoder.encode(run)).map { String(decoding: $0, as: UTF8.self) }
    return page
  }

  /// Returns the page of these tests.
  package static func page(of subjects: [Page.Subject]) -> Page {
    let failing = subjects.count { $0.variants.contains { $0.mark == .unexpected } }
    let tests = subjects.count == 1 ? "1 simulated test" : "\(subjects.count) simulated tests"
    return Page(
      title: "Simulated tests",
      lines: ["\(tests): \(failing == 0 ? "nothing is violated" : "\(failing) with a violation")"],
      isAsExpected: failing == 0, subjects: subjects)
  }
}

extension TestPage.Run {
  private static let mostBytes = 1 << 28

  /// Reads the run whose page is at `path`; nil if there is no page that carries one.
  init?(ofPage path: String) {
    guard SourceFile.isThere(path), let bytes = try? SourceFile.bytes(of: path, limit: Self.mostBytes) else {
      return nil
    }
    let (page, brackets) = (Data(bytes), Page.attachmentBrackets)
    guard let start = page.range(of: Data(brackets.start.utf8), options: .backwards),
      let end = page.range(of: Data(brackets.end.utf8), in: start.upperBound..<page.endIndex),
      let run = try? JSONDecoder().decode(Self.self, from: page[start.upperBound..<end.lowerBound])
    else { return nil }
    self = run
  }
}
