extension Program.Kind {
  var bodies: [Program.Body] {
    switch self {
    case .tagged(_, let body), .child(let body, _), .start(_, let body, _): [body]
    case .hand(_, let body), .barrier(let body), .sync(_, let body), .awaited(_, let body): [body]
    case .barrierBlock(let body), .paused(let body), .hold(_, let body): [body]
    case .group(_, let bodies), .ordered(_, let bodies), .branch(_, let bodies): bodies
    default: []
    }
  }

  func with(_ bodies: [Program.Body]) -> Self {
    switch self {
    case .tagged(let value, _): .tagged(value, bodies[0])
    case .child(_, let isAwaited): .child(bodies[0], isAwaited: isAwaited)
    case .start(let start, _, let isAwaited): .start(start, bodies[0], isAwaited: isAwaited)
    case .group(let group, _): .group(group, bodies)
    case .hand(let place, _): .hand(place, bodies[0])
    case .barrier: .barrier(bodies[0])
    case .sync(let place, _): .sync(place, bodies[0])
    case .awaited(let place, _): .awaited(place, bodies[0])
    case .ordered(let place, _): .ordered(place, bodies)
    case .barrierBlock: .barrierBlock(bodies[0])
    case .paused: .paused(bodies[0])
    case .branch(let coin, _): .branch(coin, bodies)
    case .hold(let object, _): .hold(object: object, bodies[0])
    default: self
    }
  }

  var units: Int {
    switch self {
    case .sleep(let units), .sleepUntil(let units), .sleepTo(let units), .cancelAfter(let units, _): units
    case .sleepNotingCancel: 2
    default: 0
    }
  }

  var isTimed: Bool { units > 0 }

  /// Whether it makes a task of another priority.
  var hasPriority: Bool {
    if case .start(let start, _, _) = self { start == .high || start == .low } else { false }
  }

  /// Whether it waits for a post.
  var pends: Bool {
    switch self {
    case .pend, .pendOnCell: true
    default: false
    }
  }

  /// Whether it blocks its thread until another task does something.
  var blocks: Bool { if case .awaitSignal = self { true } else { pends } }

  /// Whether it asks for a random number.
  var draws: Bool {
    switch self {
    case .flip, .branch: true
    default: false
    }
  }

  var tries: Bool { if case .tries = self { true } else { false } }

  /// Whether it goes to an actor at once.
  var isVisit: Bool {
    switch self {
    case .read, .set, .add, .increment, .relay, .count, .startOnCell, .open, .wait, .pendOnCell, .drop: true
    default: false
    }
  }

  /// Whether it uses a lock, the condition or an atomic.
  var isLocking: Bool {
    switch self {
    case .section, .twoSections, .nested, .tries, .signal, .awaitSignal, .post, .pend: true
    case .load, .store, .exchange, .compareExchange, .increase: true
    default: false
    }
  }

  /// Whether a task may leave the step in which it began by it.
  var maySuspend: Bool {
    switch self {
    case .yield, .sleep, .sleepUntil, .sleepTo, .sleepNotingCancel, .cancelAfter, .hold, .result: true
    case .group, .child, .value, .next: true
    case .start(_, _, let isAwaited): isAwaited
    default: isVisit
    }
  }
}
