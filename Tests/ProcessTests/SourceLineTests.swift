import Foundation
import TestEffort
import Testing

@testable import SimulatorCore

/// Lines are read from the tables of the executable, and must be those that the toolchain reads.
@Suite struct `A source line` {
  /// Where this is called.
  @inline(never) private static func callSite() -> UInt {
    Thread.callStackReturnAddresses[2].uintValue - 1
  }

  /// How many addresses are looked up, some bytes apart.
  private static let count = tries(100, all: 2_000)

  @Test func `is the one that the toolchain reads`() throws {
    var known = 0
    let here = Self.callSite()
    for n in 0..<Self.count {
      let address = here + UInt(n * 37) - UInt(Self.count * 37 / 2)
      guard let plain = Symbols.plainPlaces(at: address) else { continue }
      guard let place = plain.first else {
        #expect(Symbols.toolchainPlaces(at: [address])[address] == nil)
        continue
      }
      known += 1
      // In what a macro is given the toolchain sees a call of the macro.
      let places = try #require(Symbols.toolchainPlaces(at: [address])[address])
      #expect(places[0].path == place.path)
      // The toolchain gives the last line of a call of an exit test, and the name of its file the first.
      let source = try String(contentsOfFile: place.path, encoding: .utf8)
      let isOfExitTest = source.contains(/processExitsWith\s*:/)
      #expect(places[0].line == place.line || isOfExitTest && places[0].line > place.line)
      #expect(places.last?.function == place.function)
      #expect(places.dropLast().allSatisfy { $0.function.contains("macro expansion") })
    }
    #expect(known >= Self.count / 10)
  }

  @Test func `of a call is that of the call`() throws {
    let (here, line) = (Self.callSite(), #line)
    let place = try #require(Symbols.plainPlaces(at: here)?.first)
    #expect(place.file == "SourceLineTests.swift" && place.line == line)
  }

  @Test func `of what is no code is not known`() {
    let text = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { text.deallocate() }
    #expect(SourceLine(of: UInt(bitPattern: text)) == .unknown)
    #expect(SourceLine(of: 0) == .unknown)
    #expect(SourceLine(of: .max) == .unknown)
  }
}
