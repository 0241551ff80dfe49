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
      let path = name.hasPrefix("/") ? name : unsafe String(cString: directory) + "/" + name
      self = unsafe .line(path: path, Int(found.line))
    default: self = .unknown
    }
  }
}
