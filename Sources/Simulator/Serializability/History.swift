/// The results of operations, and which of them had returned before which others began.
struct History: Sendable {
  struct Call: Sendable {
    /// The position of its operation among the operations.
    let operation: Int
    /// The times at which it began and had returned, in one count for all calls.
    let began: Int
    let ended: Int
    let answer: Answer
  }

  /// The result of a search for an order.
  enum Finding: Equatable {
    /// The positions of the calls, in an order that exists.
    case order([Int])
    /// No order exists. Holds the longest beginning of one, and what the specification returns for each call that could
    /// come next.
    case none(longest: [Int], next: [Int: String])
  }

  /// The greatest number of calls: a mask of them is one word.
  static var mostCalls: Int { 64 }

  let calls: [Call]

  /// Looks for an order in which a specification that begins as `model` returns for each call what the call returned,
  /// and in which each call comes after all calls that had returned before it began.
  ///
  /// The search is that of Wing and Gong (Testing and Verifying Concurrent Objects, JPDC 17, 1993): the next call in an
  /// order may be any that began before every other missing call had returned. As Lowe does (Testing for
  /// Linearizability, Concurrency and Computation 29, 2017), it tries each set of calls with the state after them once.
  /// - Complexity: O(2^n · n) steps of the specification for n calls and one state for each set of them; if few
  ///   overlap, O(n).
  func linearized<Model: Hashable>(
    from model: Model, _ answer: (_ operation: Int, inout Model) -> Answer
  ) -> Finding {
    var search = OrderSearch<Model>(calls: calls)
    if search.extend(model, answer) { return .order(search.order) }
    return .none(longest: search.longest, next: search.next)
  }
}

private struct OrderSearch<Model: Hashable> {
  private struct Tried: Hashable {
    let done: UInt64
    let model: Model
  }

  let calls: [History.Call]
  private(set) var order: [Int] = []
  private(set) var longest: [Int] = []
  private(set) var next: [Int: String] = [:]
  private var done: UInt64 = 0
  private var tried: Set<Tried> = []

  init(calls: [History.Call]) { self.calls = calls }

  private func isDone(_ call: Int) -> Bool { done >> UInt64(call) & 1 == 1 }

  /// Returns true if the order can be completed from `model`, its state so far.
  mutating func extend(_ model: Model, _ answer: (Int, inout Model) -> Answer) -> Bool {
    if order.count == calls.count { return true }
    guard tried.insert(Tried(done: done, model: model)).inserted else { return false }
    let missing = calls.indices.filter { !isDone($0) }
    // A call that began after this return must come after it.
    let firstReturn = missing.map { calls[$0].ended }.min() ?? .max
    var refused: [Int: String] = [:]
    for call in missing where calls[call].began < firstReturn {
      var after = model
      let expected = answer(calls[call].operation, &after)
      guard expected == calls[call].answer else {
        refused[call] = expected.text
        continue
      }
      order.append(call)
      done |= 1 << UInt64(call)
      if extend(after, answer) { return true }
      order.removeLast()
      done &= ~(1 << UInt64(call))
    }
    if !refused.isEmpty, next.isEmpty || order.count > longest.count { (longest, next) = (order, refused) }
    return false
  }
}
