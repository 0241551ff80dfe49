import CProcesses
import Glibc
import Testing

@testable import SimulatorCore

@Suite struct PlaceNotesTests {
  private static let place = Trace.CodePlace(
    function: "Account.withdraw(_:)", file: "Account.swift", line: 8, isFake: false,
    path: "/a b/Account.swift")
  private static let ofFake = Trace.CodePlace(
    function: "closure in Bank.audit(_:)", file: "Bank.swift", line: 70, isFake: true, path: "/Bank.swift")

  @Test func `places are found as they were noted, also where there is none`() throws {
    let notes = try #require(PlaceNotes())
    notes.note([Self.place, Self.ofFake], of: 1)
    notes.note([], of: 2)
    notes.note([Self.ofFake], of: 3)
    #expect(notes.places(of: 1) == [Self.place, Self.ofFake])
    #expect(notes.places(of: 2) == [])
    #expect(notes.places(of: 3) == [Self.ofFake])
    #expect(notes.places(of: 4) == nil)
  }

  @Test func `notes for which there is no room are left out, and those before are found`() throws {
    let notes = try #require(unsafe cp_notes_create())
    var bytes = [UInt8](repeating: 7, count: 1 << 19)
    var added: UInt64 = 0
    while unsafe cp_notes_add(notes, added, &bytes, bytes.count) { added += 1 }
    #expect(added == 7)
    #expect(unsafe !cp_notes_add(notes, 99, &bytes, 1))
    for key in 0..<added {
      var size = 0
      #expect(unsafe cp_notes_find(notes, key, &size) != nil && size == bytes.count)
    }
    var size = 0
    #expect(unsafe cp_notes_find(notes, 99, &size) == nil)
  }
}
