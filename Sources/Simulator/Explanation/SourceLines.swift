internal import Foundation
internal import SimulatorCore

/// Lines of the program's source files, if the files can be read at the path where they were compiled.
enum SourceLines {
  private static let known = Guarded<[String: [Substring]]>([:])
  private static let mostBytes = 1 << 20
  private static let mostCharacters = 120

  /// Returns a place with the text of its line.
  static func place(_ place: Trace.CodePlace) -> Explorer.Chart.Place {
    Explorer.Chart.Place(
      function: place.function.visible, file: place.file.visible, line: place.line,
      text: line(place.line, of: place.path), path: relative(place.path))
  }

  /// Returns the path relative to the working directory, which is the repository's in most runs.
  private static func relative(_ path: String) -> String? {
    let folder = FileManager.default.currentDirectoryPath + "/"
    guard path.hasPrefix(folder) else { return nil }
    return String(path.dropFirst(folder.count)).visible
  }

  private static func line(_ number: Int, of path: String) -> String? {
    let lines = known.withLock { known in
      if let lines = known[path] { return lines }
      let lines = read(path)
      known[path] = lines
      return lines
    }
    guard lines.indices.contains(number - 1) else { return nil }
    let text = lines[number - 1].drop { $0 == " " || $0 == "\t" }
    return text.isEmpty ? nil : String(text.prefix(mostCharacters)).visible
  }

  private static func read(_ path: String) -> [Substring] {
    guard path.hasSuffix(".swift"), let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: mostBytes + 1), data.count <= mostBytes else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }
}
