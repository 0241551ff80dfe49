/// One error in a scenario file, and where it is.
struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  let file: String
  let position: SourcePosition
  let fault: FileFault

  /// `scenarios.json:3:7: error: …`, as compilers write it.
  var description: String { "\(Echo.plain(file)):\(position): error: \(fault)" }
}
