internal import CProcesses

/// The places of addresses of code, which processes share that are copies of one: to look one up takes milliseconds, and all
/// of them have the same code at the same addresses.
struct PlaceNotes {
  // Safe: the memory is never given back, and what is noted in it is only found when it is whole, and never changed.
  private let notes: SharedNotes

  /// Nil where there is no memory for them.
  init?() {
    guard let notes = unsafe cp_notes_create() else { return nil }
    self.notes = unsafe SharedNotes(memory: notes)
  }

  /// What some process has noted of `address`; nil when there is nothing.
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

  /// Neither stands in a name or a path: a zero ends each of them where the compiler has written it.
  private static let (betweenPlaces, betweenParts): (Character, Character) = ("\u{1}", "\0")

  /// A mark of its own, so that there is something to note of an address without a place.
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
// @unchecked Sendable because whoever adds a note takes its place first, atomically, and no note is changed.
@safe private struct SharedNotes: @unchecked Sendable {
  let memory: OpaquePointer
}
