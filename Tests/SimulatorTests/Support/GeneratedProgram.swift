/// A small program drawn by chance: what the reduction has not been told about in advance.
struct GeneratedProgram: Sendable, CustomStringConvertible {
  /// What each of the tasks that the root makes does, in order.
  var tasks: [[Operation]]
  /// What else there is.
  var surroundings: [Surrounding] = []

  /// What happens to a program from outside, or looks at it.
  enum Surrounding: String, Sendable, CaseIterable {
    /// The first task may be cancelled at any of its points.
    case cancelledAnywhere
    /// The last task is cancelled, at any time.
    case cancelledAtAnyTime
    /// A cell is written at any time.
    case writtenAtAnyTime
    /// The cells are compared after every step.
    case compared
    /// The first cell is part of the trace, which a judge reads.
    case observed
    /// The first task is of high priority, the last of low.
    case priorities
  }

  /// Something that a task does; what comes of it goes into the task's own log.
  indirect enum Operation: Sendable, Hashable {
    case read(cell: Int)
    case set(cell: Int, Int)
    case increment(cell: Int)
    /// Calls the other cell from within one.
    case relay(cell: Int)
    case countOnMain
    case yield
    case sleep(milliseconds: Int)
    case spend(cell: Int)
    case cancel(task: Int)
    case value(task: Int)
    /// Asks for a task's value from within a cell, which changes before and after.
    case valueOnCell(cell: Int, task: Int)
    /// Asks whether it is cancelled, then for a task's value twice.
    case checkedValue(task: Int)
    case isCancelled
    case isOtherCancelled(task: Int)
    case noteCancellation
    case cancelItself
    case send(stream: Int, Int)
    case finish(stream: Int)
    case next(stream: Int)
    case note
    case look
    case open
    case wait
    case choose
    /// Sleeps for so many milliseconds at least and at most; notes how long, or not.
    case sleepWithin(Int, Int, isTimed: Bool)
    /// Asks a stream that makes its elements on demand.
    case pull
    case call(Int)
    case isolatedStart(Int)
    case startOnMain(Int)
    case group(Group, [[Operation]])
    case child([Operation], isAwaited: Bool)
    case start([Operation], isAwaited: Bool)
    /// Starts several tasks and awaits each; looks at a cell between them, or not.
    case startSeveral([[Operation]], looks: Bool)
    /// Starts a task that begins within the step that makes it.
    case immediate([Operation], isAwaited: Bool)
  }

  enum Group: String, Sendable, CaseIterable {
    case all, first, throwing, discarding, discardingThrowing
    /// The last of the children is the group's own body, which throws then or cancels.
    case bodyThrows, bodyCancels, discardingBodyThrows, discardingBodyCancels
    /// The last of the children is run first; the others are added unless the group is cancelled by then.
    case unlessCancelled
    /// No one looks at the order of the children: waits for all, at the end of the group or before; in a group of one that
    /// throws; or after asking whether there are any.
    case waitsForAll, endsWithAll, throwingEndsWithAll, throwingWaitsForAll, asksForAny
    /// The first of the children is looked at, not the others.
    case waitsForTheOthers
    /// Waits for all in one group within another.
    case nested
  }

  /// The program number `seed`; with `ranges` one of the things that its tasks do is to sleep within a range.
  init(seed: UInt64, ranges: Bool = false) {
    var random = Generator(seed)
    let count = random.below(3) == 0 ? 3 : 2
    // Of few kinds, so that the tasks get into each other's way.
    let choices = [Operation.aroundCancellation, Operation.aroundJoins, Array(0..<Operation.kinds)]
    let choice = choices[random.below(choices.count)]
    let drawn = (0..<2 + random.below(5)).map { _ in choice[random.below(choice.count)] }
    let kinds = ranges ? drawn.prefix(2) + [Operation.range, Operation.range] : drawn
    tasks = (0..<count).map { task in
      (0..<1 + random.below(count == 2 ? 3 : 2)).map { _ in
        .drawn(&random, among: kinds, task: task, of: count, depth: 0)
      }
    }
    if random.below(2) == 0 {
      surroundings = [Surrounding.allCases[random.below(Surrounding.allCases.count)]]
    }
  }

  var description: String {
    (tasks.map { "[" + $0.map(\.description).joined(separator: ", ") + "]" } + surroundings.map(\.rawValue))
      .joined(separator: " ")
  }

  /// The programs that lack one thing of this one.
  var smaller: [GeneratedProgram] {
    var all = tasks.indices.flatMap { task in
      Operation.smaller(tasks[task]).map { operations in
        var program = self
        program.tasks[task] = operations
        return program
      }
    }
    if !surroundings.isEmpty {
      var program = self
      program.surroundings = []
      all.append(program)
    }
    return all
  }
}

extension GeneratedProgram.Operation: CustomStringConvertible {
  /// How many numbers stand for a kind of operation; the last ``nestingKinds`` hold others.
  fileprivate static let kinds = 42
  fileprivate static let range = 27
  private static let nestingKinds = 10
  fileprivate static let aroundCancellation = [6, 10, 13, 14, 17, 31, 32, 33, 34, 35, 37, 39]
  fileprivate static let aroundJoins = [0, 2, 2, 6, 12, 12, 22, 23, 30, 31, 32, 33, 34, 37, 40, 41]

  fileprivate static func drawn(
    _ random: inout GeneratedProgram.Generator, among kinds: [Int], task: Int, of count: Int, depth: Int
  ) -> Self {
    let other = (task + 1 + random.below(count - 1)) % count
    let two = random.below(2)
    func body(_ most: Int) -> [Self] {
      (0..<1 + random.below(most)).map { _ in
        drawn(&random, among: kinds, task: task, of: count, depth: depth + 1)
      }
    }
    let kind = kinds[random.below(kinds.count)]
    switch depth < 2 ? kind : kind % (Self.kinds - nestingKinds) {
    case 0: return .read(cell: two)
    case 1: return .set(cell: two, 1 + random.below(9))
    case 2, 3: return .increment(cell: two)
    case 4: return .relay(cell: two)
    case 5: return .countOnMain
    case 6: return .yield
    case 7, 8: return .sleep(milliseconds: 1 + two)
    case 9: return .spend(cell: two)
    case 10, 11: return .cancel(task: other)
    case 12: return task > 0 ? .value(task: random.below(task)) : .yield
    case 13, 14: return .isCancelled
    case 15: return .isOtherCancelled(task: other)
    case 16: return .noteCancellation
    case 17: return .cancelItself
    case 18, 19: return .send(stream: two, 1 + random.below(9))
    case 20: return .finish(stream: two)
    case 21: return .next(stream: two)
    case 22: return .note
    case 23: return .look
    case 24: return random.below(2) == 0 ? .open : .wait
    case 25: return .choose
    case 26: return .call(two)
    case range: return .sleepWithin(two, two + 1 + random.below(2), isTimed: random.below(4) == 0)
    case 28: return .pull
    case 29: return two == 0 ? .isolatedStart(random.below(9)) : .startOnMain(random.below(9))
    case 30: return task > 0 ? .valueOnCell(cell: two, task: random.below(task)) : .yield
    case 31: return task > 0 ? .checkedValue(task: random.below(task)) : .isCancelled
    case 32, 33, 34:
      let kinds = GeneratedProgram.Group.allCases
      return .group(kinds[random.below(kinds.count)], [body(1), body(2)])
    case 35, 36: return .child(body(2), isAwaited: two == 0)
    case 39: return .immediate(body(2), isAwaited: two == 0)
    case 40, 41: return .startSeveral([body(1), body(1)], looks: two == 0)
    default: return .start(body(2), isAwaited: two == 0)
    }
  }

  var description: String {
    switch self {
    case .read(let cell): "read \(cell)"
    case .set(let cell, let value): "set \(cell) to \(value)"
    case .increment(let cell): "increment \(cell)"
    case .relay(let cell): "relay \(cell)"
    case .countOnMain: "count on main"
    case .yield: "yield"
    case .sleep(let milliseconds): "sleep \(milliseconds)"
    case .spend(let cell): "spend on \(cell)"
    case .cancel(let task): "cancel \(task)"
    case .value(let task): "value \(task)"
    case .valueOnCell(let cell, let task): "value \(task) on \(cell)"
    case .checkedValue(let task): "cancelled? value \(task) twice"
    case .isCancelled: "cancelled?"
    case .isOtherCancelled(let task): "\(task) cancelled?"
    case .noteCancellation: "sleep, noting a cancel"
    case .cancelItself: "cancel itself"
    case .send(let stream, let value): "send \(value) to \(stream)"
    case .finish(let stream): "finish \(stream)"
    case .next(let stream): "next of \(stream)"
    case .note: "note"
    case .look: "look"
    case .open: "open"
    case .wait: "wait"
    case .choose: "choose"
    case .sleepWithin(let low, let high, let isTimed): "sleep \(low)...\(high)\(isTimed ? ", timed" : "")"
    case .pull: "pull"
    case .call(let fake): "call \(fake)"
    case .isolatedStart(let word): "start \(word) on cell"
    case .startOnMain(let word): "start \(word) on main"
    case .group(let kind, let children): "\(kind) of \(children)"
    case .child(let body, let isAwaited): isAwaited ? "child \(body)" : "child left \(body)"
    case .start(let body, let isAwaited): isAwaited ? "start \(body)" : "start and leave \(body)"
    case .startSeveral(let bodies, let looks): "start \(bodies)\(looks ? ", looking" : "")"
    case .immediate(let body, let isAwaited): isAwaited ? "at once \(body)" : "at once and leave \(body)"
    }
  }

  fileprivate static func smaller(_ operations: [Self]) -> [[Self]] {
    operations.indices.flatMap { index in
      var without = operations
      without.remove(at: index)
      var all = [without]
      func replaced(by operation: Self) {
        var changed = operations
        changed[index] = operation
        all.append(changed)
      }
      switch operations[index] {
      case .group(let kind, let children):
        for child in children.indices {
          var fewer = children
          fewer.remove(at: child)
          replaced(by: .group(kind, fewer))
          for body in smaller(children[child]) {
            var changed = children
            changed[child] = body
            replaced(by: .group(kind, changed))
          }
        }
      case .startSeveral(let bodies, let looks):
        for body in bodies.indices {
          var fewer = bodies
          fewer.remove(at: body)
          replaced(by: .startSeveral(fewer, looks: looks))
          for smaller in smaller(bodies[body]) {
            var changed = bodies
            changed[body] = smaller
            replaced(by: .startSeveral(changed, looks: looks))
          }
        }
      case .child(let body, let isAwaited):
        for body in smaller(body) { replaced(by: .child(body, isAwaited: isAwaited)) }
      case .start(let body, let isAwaited):
        for body in smaller(body) { replaced(by: .start(body, isAwaited: isAwaited)) }
      case .immediate(let body, let isAwaited):
        for body in smaller(body) { replaced(by: .immediate(body, isAwaited: isAwaited)) }
      default: break
      }
      return all
    }
  }
}

extension GeneratedProgram {
  /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
  fileprivate struct Generator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((z ^ (z >> 31)) % UInt64(bound))
    }
  }
}
