import Foundation

/// What a document links to, and every file that a document or a comment names, is in the repository.
///
/// Code blocks of documents are not read: they show what a user's own package holds.
public struct ReferenceCheck {
  private let package: String
  /// Paths that git tracks.
  private let files: [String]
  private let tracked: Set<String>

  public init(package: String) throws(Refusal) {
    self.package = package
    let output = try Command.run("git", "-C", package, "ls-files", "-z")
    files = String(decoding: output, as: UTF8.self).split(separator: "\0").map(String.init)
    var tracked: Set<String> = []
    for file in files {
      var path = file[...]
      // Folders count too.
      while !path.isEmpty {
        tracked.insert(String(path))
        path = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
      }
    }
    self.tracked = tracked
  }

  public func outcome() throws(Refusal) -> Outcome {
    var findings: [Finding] = []
    for file in files {
      let kind = URL(filePath: file).pathExtension
      guard ["md", "swift", "c", "h"].contains(kind) else { continue }
      guard let text = try? String(contentsOfFile: "\(package)/\(file)", encoding: .utf8) else { continue }
      if kind == "md" {
        findings += Document(text).lines.flatMap { number, line in
          deadLinks(in: line, of: file).map {
            Finding("\(file):\(number): links to \($0), which is not in the repository")
          }
            + missingFiles(in: line, of: file).map {
              Finding("\(file):\(number): names \($0), which is not in the repository")
            }
        }
      } else {
        let comments = String(
          decoding: SourceText(text, kind == "swift" ? .swift : .c).comments, as: UTF8.self)
        for (number, line) in comments.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
          findings += missingFiles(in: line, of: file).map {
            Finding("\(file):\(number + 1): names \($0), which is not in the repository")
          }
        }
      }
    }
    return Outcome(findings: findings, proved: "every file that a document or a comment names is there")
  }

  /// Relative links (`[text](path)`) that lead nowhere.
  private func deadLinks(in line: Substring, of file: String) -> [String] {
    line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { link in
      guard !link.contains("://"), !link.hasPrefix("#"), !link.hasPrefix("mailto:") else { return false }
      return !tracked.contains(path(of: String(link.prefix { $0 != "#" }), from: file))
    }
  }

  /// Files that are named with an ending, and paths that begin with a folder of the package.
  private func missingFiles(in line: Substring, of file: String) -> [String] {
    guard line.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "`") }) else { return [] }
    let named = withoutSamples(line).matches(of: /[A-Za-z0-9_+.\/-]+\.(swift|c|h|md)\b/).map { String($0.0) }
    let folders = line.matches(
      of: /`((Sources|Tests|Examples|Benchmarks|Tools|\.ci|\.github)\/[^`*{\s:]*)(:\d+)?`/
    )
    .map { String($0.1) }
    return (named + folders).filter { name in
      let name = name.hasSuffix("/") ? String(name.dropLast()) : name
      return !tracked.contains(path(of: name, from: file))
        && !files.contains { $0.hasSuffix("/\(name)") || $0 == name }
        && !tracked.contains(name)
    }
  }

  /// A line without what stands in backquotes with a space in it, which shows a text and names no file.
  private func withoutSamples(_ line: Substring) -> String {
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0 % 2 == 0 || !$1.contains(" ") }.map(\.element).joined(
      separator: " ")
  }

  /// The path from the package's root of what a file there calls by a relative path.
  private func path(of name: String, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in name.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}

/// A document without its code blocks.
private struct Document {
  var lines: [(number: Int, line: Substring)] = []

  init(_ text: String) {
    var isCode = false
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
      } else if !isCode {
        lines.append((number + 1, line))
      }
    }
  }
}
