import Foundation
import Testing

@testable import PlanCheck

/// One package with a backward use of each kind, each in a file of its own.
struct LayerTests {
  /// What the files use, in the rooms that the plan names.
  static let used = [
    "Low/Stone.swift": """
    struct Stone { var weight = 1 }
    protocol Heavy {}
    """,
    "High/Roof.swift": """
    struct Roof { var slope: Int }
    protocol Covered {}
    extension Stone { var isRidge: Bool { weight > 9 } }
    extension Stone { func fell() {} }
    extension Int { var tiles: Int { self * 12 } }
    func thatch() {}
    let gable = 3
    typealias Attic = Int
    enum Weather { case fair }
    infix operator <~>
    extension Stone { static func <~> (a: Stone, b: Stone) -> Bool { true } }
    protocol Leaking {}
    extension Heavy { func drip() {} }
    """,
  ]

  @Test func `a room uses the rooms above it`() throws {
    let files = Self.used.merging([
      "Middle/Wall.swift": "struct Wall: Heavy { var stone = Stone() }",
      "Middle/Fine.swift": """
      extension Stone: Heavy {}
      func carry(_ stone: Stone) -> some Heavy { Wall(stone: stone).stone }
      """,
    ]) { $1 }
    #expect(try Planted(files).findings() == [])
  }

  struct Backward: CustomTestStringConvertible {
    let text: String
    let place: String
    let name: String
    let file: String

    init(_ text: String, at place: String, uses name: String, line: Int = #line) {
      (self.text, self.place, self.name, self.file) = (text, place, name, "\(line)")
    }

    var testDescription: String { text }
  }

  static let backward = [
    Backward("func f1(_ roof: Roof) {}", at: "1:17", uses: "Roof"),
    Backward("func f2(_ stone: Stone) -> Bool { stone.isRidge }", at: "1:41", uses: "Stone.isRidge"),
    Backward("func f3(_ stone: Stone) { stone.fell() }", at: "1:33", uses: "Stone.fell()"),
    Backward("func f4(_ count: Int) -> Int { count.tiles }", at: "1:38", uses: "Int.tiles"),
    Backward("extension Stone: Covered {}", at: "1:18", uses: "Covered"),
    Backward("struct Wet: Covered {}", at: "1:13", uses: "Covered"),
    Backward("extension Roof: Heavy {}", at: "1:11", uses: "Roof"),
    Backward("func f5() { thatch() }", at: "1:13", uses: "thatch()"),
    Backward("func f6() -> Int { gable }", at: "1:20", uses: "gable"),
    Backward("func f7(_ x: Attic) {}", at: "1:14", uses: "Attic"),
    Backward("func f8(_ s: Stone) -> Bool { s <~> s }", at: "1:33", uses: "Stone.<~>(_:_:)"),
    Backward("func f9(_ wall: Wall) { wall.drip() }", at: "1:30", uses: "Heavy.drip()"),
    Backward("func f10<T>(_ it: T) where T: Leaking {}", at: "1:31", uses: "Leaking"),
    Backward("let f11 = \\Stone.isRidge", at: "1:18", uses: "Stone.isRidge"),
  ]

  /// All of them in one package, compiled once.
  private static let allFindings = Result {
    var files = used
    files["Middle/Wall.swift"] = "struct Wall: Heavy { var stone = Stone() }"
    for use in backward { files["Middle/Backward\(use.file).swift"] = use.text }
    return try Planted(files).findings()
  }

  @Test(arguments: backward)
  func `a use of what stands further down is refused`(use: Backward) throws {
    let path = "Sources/House/Middle/Backward\(use.file).swift"
    #expect(
      try Self.allFindings.get().filter { $0.hasPrefix(path) } == [
        "\(path):\(use.place): uses \(use.name) (House/High/Roof.swift), but Middle stands above High"
      ])
  }

  @Test func `what the compiler writes itself belongs to its type`() throws {
    let files = Self.used.merging(["Middle/Wall.swift": "func f(_ roof: Roof = .init(slope: 1)) {}"]) { $1 }
    let findings = try Planted(files).findings()
    #expect(findings.contains { $0.contains("Wall.swift:1:24: uses Roof") }, "\(findings)")
  }

  @Test func `each place is one finding and every room is judged by its own position`() throws {
    var files = Self.used
    files["Low/Base.swift"] = "func f(_ a: Roof, _ b: Roof) -> Wall { Wall() }"
    files["Middle/Wall.swift"] = "struct Wall { func f(_ a: Roof) {} }"
    let findings = try Planted(files).findings()
    #expect(findings.map { $0.contains("Low stands above High") } == [true, true, false, false, false])
    #expect(findings.map { $0.contains("Low stands above Middle") } == [false, false, true, true, false])
    #expect(findings.last?.contains("Middle stands above High") == true)
  }
}
