// Where in the program a process ended.

extension Death {
  /// What it shows, where that is more than that the process ended.
  var diagnosis: Invariant.Diagnosis? { resumedTwice == nil ? nil : .completedTwice }

  /// What happened; with `withPlace`, the line of the program too.
  func message(withPlace: Bool) -> String {
    let what =
      resumedTwice.map { "the process ended: a continuation of \($0) was resumed a second time" } ?? message
    guard withPlace, let line = line(of: addresses) else { return what }
    let earlier = resumedTwice == nil ? nil : self.line(of: earlierAddresses)
    return "\(what), at \(line)" + (earlier.map { "; the first time at \($0)" } ?? "")
  }

  /// The innermost line of the program that was on the way.
  private func line(of addresses: [UInt]) -> Trace.CodePlace? {
    Symbols.places(of: addresses.map { $0 - 1 }).lazy.flatMap(\.self).first { !$0.isFake }
  }

  /// The function whose checked continuation was resumed a second time, in the runtime's words.
  private var resumedTwice: String? {
    crashMessage?.firstMatch(
      of: /CONTINUATION MISUSE: (.+?) tried to resume its continuation more than once/
    ).map { String($0.1) }
  }
}
