/// The escape of an execution, if any: the call by which work escaped, or the jobs that came back from foreign threads.
final class Escapes: ExecutionTable {
  /// A call by which work escaped.
  struct Call {
    /// The name of the function, as in ``Exits``.
    let name: String
    /// The code that called it, innermost first.
    let addresses: [UInt]
  }

  /// The moment of the escape.
  struct Moment {
    let time: Int64
    let step: Int
    /// The digest of what had happened by then. What follows in the same step does not count.
    let digest: UInt64
  }

  private(set) var call: Call?
  private(set) var moment: Moment?
  /// The tasks of the first jobs that came back, and where they go on, in words.
  private(set) var descriptions: [String] = []
  /// The thread that brought the first of them, if it is known.
  private(set) var bringer: ThreadBeside?
  /// The task whose continuation could only be resumed by a thread that this process does not have.
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
