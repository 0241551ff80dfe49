/// How work left the execution, if it did: the call by which it left, or the jobs that came back from foreign threads.
final class Escapes: ExecutionTable {
  /// A call by which work left.
  struct Call {
    /// The function, as in ``Exits``.
    let name: String
    /// The code that called it, innermost first.
    let addresses: [UInt]
  }

  /// Where and when that was.
  struct Moment {
    let time: Int64
    let step: Int
    /// What had happened by then. What follows in the same step decides about nothing.
    let digest: UInt64
  }

  private(set) var call: Call?
  private(set) var moment: Moment?
  /// To whom the first jobs belong that came back, and where these tasks go on.
  private(set) var descriptions: [String] = []
  /// The thread that brought the first of them, if it is known.
  private(set) var bringer: ThreadBeside?
  /// The task whose continuation only a thread could still resume that this process does not have.
  private(set) var waiter: Int32?
  var isFresh: Bool { moment == nil }

  func left(_ call: Call, at moment: Moment) {
    self.call = call
    self.moment = moment
  }

  func waits(_ task: Int32, at moment: Moment) {
    waiter = task
    self.moment = moment
  }

  func cameBack(_ descriptions: [String], by thread: ThreadBeside?, at moment: Moment) {
    self.descriptions = descriptions
    bringer = thread
    self.moment = moment
  }

  func removeAll() {
    guard !isFresh else { return }
    call = nil
    moment = nil
    bringer = nil
    waiter = nil
    descriptions.removeAll()
  }
}
