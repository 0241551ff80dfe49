internal import CProcesses

/// The places of code addresses, shared by processes that are copies of one. A lookup takes milliseconds, and all
/// copies have the same code at the same addresses.
struct PlaceNotes {
  // Safe because the memory is never freed, and a note is found only when it is complete, and never changes.
  private let notes: SharedNotes

  /// Returns nil if there is no memory for them.
  init?() {
    guard let notes = unsafe cp_notes_create() else { return nil }
    self.notes = unsafe SharedNotes(memory: notes)
  }

  /// Returns what some process has noted for `address`; nil if there is nothing.
  func places(of address: UInt) -> [Trace.CodePlace]? {
    var size = 0
    guard let found = unsafe cp_notes_find(notes.memory, UInt64(address), &size) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: found, count: size)
    return Self.places(unsafe String(decoding: bytes, as: UTF8.self))
  }

  func note(_ places: [Trace.CodePlace], of address: UInt) {
    var text = Self.text(places)
    _ = text.withUTF8 { unsafe cp_notes_add(notes.memory, UInt64(address), $0.baseAddress!, $0.count) }
  }

  /// Neither character is in a name or a path: a zero ends each of them where the compiler has written it.
  private static let (betweenPlaces, betweenParts): (Character, Character) = ("\u{1}", "\0")

  /// The text begins with a mark, so that there is something to note even for an address without a place.
  static func text(_ places: [Trace.CodePlace]) -> String {
    places.reduce(into: String(betweenPlaces)) { text, place in
      let parts = [place.function, place.file, String(place.line), place.isFake ? "fake" : "", place.path]
      text += parts.joined(separator: String(betweenParts)) + String(betweenPlaces)
    }
  }

  static func places(_ text: String) -> [Trace.CodePlace]? {
    var places: [Trace.CodePlace] = []
    for place in text.split(separator: betweenPlaces) {
      let parts = place.split(separator: betweenParts, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 5, let line = Int(parts[2]) else { return nil }
      places.append(
        Trace.CodePlace(
          function: parts[0], file: parts[1], line: line, isFake: parts[3] == "fake", path: parts[4]))
    }
    return places
  }
}

/// Memory that processes share.
// @unchecked Sendable because a process that adds a note first takes its place, atomically, and no note changes.
@safe private struct SharedNotes: @unchecked Sendable {
  let memory: OpaquePointer
}
