/// All errors of one file, in the order of their positions; never empty.
struct Diagnostics: Error, Equatable, Sendable, CustomStringConvertible {
  let all: [Diagnostic]
  /// Errors beyond ``DiagnosticCollector/limit``, which are counted only.
  let omitted: Int

  /// A line for each.
  var description: String {
    var lines = all.map(\.description)
    if omitted > 0, let file = all.first?.file { lines.append("\(Echo.plain(file)): \(omitted) more errors") }
    return lines.joined(separator: "\n")
  }
}
