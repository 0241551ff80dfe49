import Foundation

/// The functions that an ELF file of 64 bits has and wants.
struct SymbolTable {
  /// Those that a program can be linked with: an older version of a function, or one that the library keeps for its own kind,
  /// is none of them.
  let functions: Set<String>
  /// Those that it wants from others.
  let wanted: Set<String>

  /// - Parameter isObject: whether it is not linked yet, so that its own table of symbols tells.
  init(of path: String, isObject: Bool = false) throws(Refusal) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw Refusal("\(path) cannot be read")
    }
    guard let file = ELF(data) else { throw Refusal("\(path) is no ELF file of 64 bits") }
    var functions: Set<String> = []
    var wanted: Set<String> = []
    for symbol in file.symbols(ofType: isObject ? ELF.symbols : ELF.dynamicSymbols) where symbol.isGlobal {
      if !symbol.isDefined {
        wanted.insert(symbol.name)
      } else if symbol.isFunction, symbol.isLinkable {
        functions.insert(symbol.name)
      }
    }
    (self.functions, self.wanted) = (functions, wanted)
  }
}

/// As much of the format as is needed.
private struct ELF {
  static let symbols: UInt32 = 2
  static let dynamicSymbols: UInt32 = 11
  private static let versionsOfSymbols: UInt32 = 0x6fff_ffff
  private static let definedVersions: UInt32 = 0x6fff_fffd

  struct Symbol {
    let name: String
    let isGlobal: Bool
    let isDefined: Bool
    let isFunction: Bool
    let isLinkable: Bool
  }

  private struct Section {
    let type: UInt32
    let offset: Int
    let size: Int
    let link: Int
    let count: Int
  }

  private let bytes: [UInt8]
  private var sections: [Section] = []

  init?(_ data: Data) {
    bytes = [UInt8](data)
    guard bytes.count > 64, bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }
    let start = Int(number(at: 40, UInt64.self))
    let size = Int(number(at: 58, UInt16.self))
    for n in 0..<Int(number(at: 60, UInt16.self)) {
      let at = start + n * size
      guard at + size <= bytes.count else { return nil }
      sections.append(
        Section(
          type: number(at: at + 4, UInt32.self), offset: Int(number(at: at + 24, UInt64.self)),
          size: Int(number(at: at + 32, UInt64.self)), link: Int(number(at: at + 40, UInt32.self)),
          count: Int(number(at: at + 44, UInt32.self))))
    }
  }

  func symbols(ofType type: UInt32) -> [Symbol] {
    guard let table = sections.first(where: { $0.type == type }) else { return [] }
    let names = sections[table.link].offset
    let versions = sections.first { $0.type == Self.versionsOfSymbols }
    let kept = privateVersions
    return (0..<table.size / 24).map { n in
      let at = table.offset + n * 24
      let info = bytes[at + 4]
      // The highest bit hides a version from new programs.
      let version = versions.map { number(at: $0.offset + n * 2, UInt16.self) } ?? 1
      return Symbol(
        name: text(at: names + Int(number(at: at, UInt32.self))), isGlobal: info >> 4 == 1 || info >> 4 == 2,
        isDefined: number(at: at + 6, UInt16.self) != 0, isFunction: [2, 10].contains(info & 15),
        isLinkable: version & 0x8000 == 0 && !kept.contains(version))
    }
  }

  /// The numbers of the versions that the C library keeps for its own kind.
  private var privateVersions: Set<UInt16> {
    guard let table = sections.first(where: { $0.type == Self.definedVersions }) else { return [] }
    var found: Set<UInt16> = []
    var at = table.offset
    for _ in 0..<table.count {
      let name = at + Int(number(at: at + 12, UInt32.self))
      let text = text(at: sections[table.link].offset + Int(number(at: name, UInt32.self)))
      if text.hasSuffix("_PRIVATE") { found.insert(number(at: at + 4, UInt16.self)) }
      at += Int(number(at: at + 16, UInt32.self))
    }
    return found
  }

  private func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number {
    bytes[offset..<offset + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  private func text(at offset: Int) -> String {
    String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
