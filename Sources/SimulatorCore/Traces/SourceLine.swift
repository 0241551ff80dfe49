internal import CConcurrencyHooks

/// The line of code at an address, found in the line tables of its executable or library.
///
/// A lookup costs microseconds. The toolchain's reader needs time in proportion to all debug information of the
/// process.
enum SourceLine: Equatable {
  case line(path: String, Int)
  /// The code has no lines.
  case none
  /// The executable or library has optimized code, in which calls may be inlined, or this reader does not understand
  /// its tables.
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

  /// Returns the line on which an expression macro is called. It is in the file name that the compiler makes for the
  /// expansion: a name that ends with `fMX53_27_6expectfMf_` means line 54. Returns nil for other files, and if one
  /// macro is inside another.
  static func ofCall(expandedTo path: String) -> Int? {
    guard let start = path.firstRange(of: "@__swiftmacro_") else { return nil }
    let name = path[start.upperBound...]
    let marks = name.ranges(of: "fMX")
    guard marks.count == 1 else { return nil }
    return Int(name[marks[0].upperBound...].prefix { $0.isNumber }).map { $0 + 1 }
  }
}
