internal import SimulatorCore

// The place in the program where a process ended.

extension Death {
  /// The diagnosis, if there is more to say than that the process ended.
  var diagnosis: Invariant.Diagnosis? { resumedTwice == nil ? nil : .completedTwice }

  /// Returns what happened; with `withPlace`, also the line of the program.
  func message(withPlace: Bool) -> String {
    let what =
      resumedTwice.map { "the process ended: a continuation of \($0) was resumed a second time" } ?? message
    guard withPlace, let line = line(of: addresses) else { return what }
    let earlier = resumedTwice == nil ? nil : self.line(of: earlierAddresses)
    return "\(what), at \(line)" + (earlier.map { "; the first time at \($0)" } ?? "")
  }

  /// Returns the innermost line of the program among `addresses`.
  private func line(of addresses: [UInt]) -> Trace.CodePlace? {
    Symbols.places(of: addresses.map { $0 - 1 }).lazy.flatMap(\.self).first { !$0.isFake }
  }

  /// The function whose checked continuation was resumed a second time, as the runtime names it.
  private var resumedTwice: String? {
    crashMessage?.firstMatch(
      of: /CONTINUATION MISUSE: (.+?) tried to resume its continuation more than once/
    ).map { String($0.1) }
  }
}
