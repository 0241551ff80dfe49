import Foundation

/// How the sources are laid out, as CONTRIBUTING.md draws it: the code block that begins with `Sources/`.
///
/// A line that begins with two spaces names the folder of a target, one that begins with four a *room*, which is a folder
/// in that target. What stands further down may use what stands above it, never the other way round.
public struct Plan {
  /// A folder of `Sources`, or a folder inside one.
  struct Place: Hashable {
    let target: String
    /// Nil for a target that the plan does not divide into rooms.
    let room: String?
    /// Where it stands in the plan; a smaller one stands above.
    let position: Int

    var name: String { room ?? target }
    var path: String { room.map { "\(target)/\($0)" } ?? target }
  }

  let places: [Place]
  private let byTarget: [String: [Place]]

  public init(in document: String) throws(Refusal) {
    var isInside = false
    var target = ""
    var lines: [(target: String, room: String?)] = []
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if !isInside {
        isInside = line.hasPrefix("Sources/")
      } else if line.hasPrefix("    "), let room = Self.folder(line.dropFirst(4)) {
        // A target that has rooms stands in the plan as its rooms.
        if lines.last?.target == target, lines.last?.room == nil { lines.removeLast() }
        lines.append((target, room))
      } else if line.hasPrefix("  "), let name = Self.folder(line.dropFirst(2)) {
        target = name
        lines.append((target, nil))
      } else if !line.hasPrefix(" ") {
        break
      }
    }
    guard !lines.isEmpty else {
      throw Refusal("CONTRIBUTING.md has no code block that begins with `Sources/`")
    }
    places = lines.enumerated().map { Place(target: $1.target, room: $1.room, position: $0) }
    byTarget = Dictionary(grouping: places, by: \.target)
  }

  /// The folder that a line names, if it begins with one.
  private static func folder(_ line: Substring) -> String? {
    guard let word = line.split(separator: " ").first, line.hasPrefix(word), word.hasSuffix("/") else {
      return nil
    }
    return String(word.dropLast())
  }

  enum Position {
    case place(Place)
    /// In a target or a room that the plan does not name.
    case unplanned(String)
  }

  /// Where a file stands, from its path below `Sources`.
  func position(of path: String) -> Position {
    let target = String(path.prefix { $0 != "/" })
    guard let places = byTarget[target] else { return .unplanned(target) }
    if let whole = places.first, whole.room == nil { return .place(whole) }
    let rooms = places.filter { path.hasPrefix("\($0.path)/") }
    if let room = rooms.max(by: { $0.path.utf8.count < $1.path.utf8.count }) { return .place(room) }
    return .unplanned(path.split(separator: "/").dropLast().prefix(2).joined(separator: "/"))
  }
}
