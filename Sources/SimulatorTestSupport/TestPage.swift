internal import Foundation
package import Simulator

/// The page for a browser that simulated tests write where the environment variable `SIMULATOR_PAGE` names a file: one page for
/// all of a process, written anew after each search.
package enum TestPage {
  private static let path = ProcessInfo.processInfo.environment["SIMULATOR_PAGE"].flatMap {
    $0.isEmpty ? nil : $0
  }
  private static let subjects = Guarded<[Page.Subject]>([])

  /// Whether a page is asked for.
  package static var isWanted: Bool { path != nil }

  /// Adds what was found of a test, and writes the page, if there is to be one. Answers why it could not be written; nil if
  /// it was.
  package static func add(_ subject: () -> Page.Subject) -> String? {
    guard let path else { return nil }
    let subject = subject()
    // One writer at a time, so that the last page has everything.
    return subjects.withLock { subjects in
      subjects.append(subject)
      let html = page(of: subjects.sorted { ($0.place, $0.name) < ($1.place, $1.name) }).html
      do {
        let file = URL(fileURLWithPath: path)
        try Data(html.utf8).write(to: file, options: .atomic)
        if subjects.count == 1 { print("a page of what is found, for a browser: \(file.path)") }
        return nil
      } catch {
        return "the page of `SIMULATOR_PAGE` cannot be written to \(path): \(error.localizedDescription)"
      }
    }
  }

  /// The page of these tests.
  package static func page(of subjects: [Page.Subject]) -> Page {
    let failing = subjects.count { $0.variants.contains { $0.mark == .unexpected } }
    let tests = subjects.count == 1 ? "1 simulated test" : "\(subjects.count) simulated tests"
    return Page(
      title: "Simulated tests",
      lines: ["\(tests): \(failing == 0 ? "nothing is violated" : "\(failing) with a violation")"],
      isAsExpected: failing == 0, subjects: subjects)
  }
}
