internal import CConcurrencyHooks

/// The line of code at an address, by the line tables of its executable or library.
///
/// Costs microseconds, where the toolchain's reader needs time in proportion to all debug information of the process.
enum SourceLine: Equatable {
  case line(path: String, Int)
  /// The code has no lines.
  case none
  /// The executable or library has optimized code, in which calls may be inlined, or its tables are not understood here.
  case unknown

  init(of address: UInt) {
    var found = unsafe ch_source_line()
    switch unsafe ch_find_line(address, &found) {
    case CH_LINE_NONE: self = .none
    case CH_LINE_FOUND:
      guard let directory = unsafe found.directory, let file = unsafe found.name else {
        self = .unknown
        return
      }
      let name = unsafe String(cString: file)
      let folder = unsafe String(cString: directory)
      let path = name.hasPrefix("/") ? name : folder + (folder.hasSuffix("/") ? "" : "/") + name
      self = unsafe .line(path: path, Int(found.line))
    default: self = .unknown
    }
  }

  /// The line on which an expression macro is called, by the name of the file that the compiler makes of its expansion:
  /// one that ends with `fMX53_27_6expectfMf_` is of line 54. nil for other files, and where one macro is inside another.
  static func ofCall(expandedTo path: String) -> Int? {
    guard let start = path.firstRange(of: "@__swiftmacro_") else { return nil }
    let name = path[start.upperBound...]
    let marks = name.ranges(of: "fMX")
    guard marks.count == 1 else { return nil }
    return Int(name[marks[0].upperBound...].prefix { $0.isNumber }).map { $0 + 1 }
  }
}
