/// How a run of scenarios ended.
struct RunEnding: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    case finished
    case timeLimit
    case signal(Int32)
  }

  var reason = Reason.finished
  /// The number of scenarios that no worker had begun by then.
  var notBegun = 0
}
