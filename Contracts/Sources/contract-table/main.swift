import Contracts
import Foundation

// Runs every fact against the real part and the fake, and writes what they come to into the README, or with `--check` says
// whether it stands there.

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.last, arguments.count == 1 || arguments.first == "--check" else {
  print("usage: contract-table [--check] README.md")
  exit(2)
}

let parts = [
  Part("SQLite through GRDB 7.10.0, and `FakeStore`", try await StoreFacts.findings()),
  Part("SwiftNIO behind `URLSession`, and `FakeHTTP` behind `URLSession`", try await NetworkFacts.findings()),
  Part("SwiftNIO behind `URLSession`, and `FakeNetwork`", try await ExchangeFacts.findings()),
]
for finding in parts.flatMap(\.findings) where !finding.isAsStated {
  print("not as stated: \(finding.name): really \(finding.real); the fake \(finding.fake.sorted())")
}
guard parts.allSatisfy({ $0.findings.allSatisfy(\.isAsStated) }) else { exit(1) }

let mark = "<!-- What follows comes from `contract-table`. -->"
let text = try String(contentsOfFile: path, encoding: .utf8)
let head = text.components(separatedBy: mark)[0]
let written = head + mark + "\n" + parts.map(\.text).joined()
if arguments.first == "--check" {
  guard written == text else {
    print("\(path) is stale: run contract-table \(path)")
    exit(1)
  }
  print("\(path) has what \(parts.reduce(0) { $0 + $1.findings.count }) facts come to")
} else {
  try written.write(toFile: path, atomically: true, encoding: .utf8)
}

/// The facts about one part of the world.
struct Part {
  let title: String
  let findings: [Finding]

  init(_ title: String, _ findings: [Finding]) {
    (self.title, self.findings) = (title, findings)
  }

  var text: String {
    let rows = findings.map { finding in
      let same = finding.fake == finding.stated
      let fake = same ? "the same" : Part.words(finding.fake) + (finding.difference.map { ": \($0)" } ?? "")
      return "| \(finding.name) | \(Part.words(finding.stated)) | \(fake) |\n"
    }
    return "\n## \(title)\n\n| | the real part | the fake |\n| --- | --- | --- |\n" + rows.joined()
  }

  private static func words(_ outcomes: Set<String>) -> String {
    outcomes.sorted().joined(separator: ", or ")
  }
}
