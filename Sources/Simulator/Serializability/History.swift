/// What operations have answered, and which of them had returned before which others began.
struct History: Sendable {
  struct Call: Sendable {
    /// Its position among the operations.
    let operation: Int
    /// When it began and when it had returned, in one count for all calls.
    let began: Int
    let ended: Int
    let answer: Answer
  }

  /// What a search for an order has come to.
  enum Finding: Equatable {
    /// Positions of the calls.
    case order([Int])
    /// There is none. The longest part of one, and what the specification answers to each call that could come next.
    case none(longest: [Int], next: [Int: String])
  }

  /// A mask of them is one word.
  static var mostCalls: Int { 64 }

  let calls: [Call]

  /// Looks for an order in which a specification that begins as `model` answers to each call what it has answered, and in which
  /// each call stands behind all that had returned before it began.
  ///
  /// The search is that of Wing and Gong (Testing and Verifying Concurrent Objects, JPDC 17, 1993): next in an order may be what
  /// began before any other that is still missing had returned. As Lowe does (Testing for Linearizability, Concurrency and
  /// Computation 29, 2017), each set of calls with the state after them is tried once.
  /// - Complexity: O(2^n · n) steps of the specification for n calls and one state for each set of them; where few overlap, O(n).
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

  /// Whether the order can be made whole from `model`, which it has come to.
  mutating func extend(_ model: Model, _ answer: (Int, inout Model) -> Answer) -> Bool {
    if order.count == calls.count { return true }
    guard tried.insert(Tried(done: done, model: model)).inserted else { return false }
    let missing = calls.indices.filter { !isDone($0) }
    // What began after it must come after it.
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
