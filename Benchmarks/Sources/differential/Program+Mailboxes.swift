extension Program {
  /// The mailbox of an actor in which a point waits for its turn.
  struct Mailbox: Sendable {
    let actor: Int
    /// The point whose effect puts it there; nil where a task sets out for it.
    var maker: Int?
  }

  /// The mailboxes of all points that have one.
  var mailboxes: [Int: Mailbox] {
    var mailboxes: [Int: Mailbox] = [:]
    func collect(_ operations: [Operation]) {
      for operation in operations {
        mailboxes.merge(operation.kind.mailboxes(at: operation.id * 4)) { $1 }
        operation.kind.bodies.forEach { collect($0.operations) }
      }
    }
    tasks.forEach { collect($0.operations) }
    collect(closing)
    for (number, actor) in Kind.looks.enumerated() { mailboxes[Run.last - number] = .init(actor: actor) }
    return mailboxes
  }
}

extension Program.Kind {
  private static let (main, gate) = (2, 3)
  /// The actors at which the run looks in the end, in that order.
  fileprivate static let looks = [0, 1, main]

  fileprivate func mailboxes(at point: Int) -> [Int: Program.Mailbox] {
    switch self {
    case .read(let cell), .set(let cell, _), .add(let cell): [point: .init(actor: cell)]
    case .increment(let cell): [point: .init(actor: cell), point + 1: .init(actor: cell)]
    case .relay: [point: .init(actor: 0), point + 1: .init(actor: 1)]
    case .count: [point: .init(actor: Self.main)]
    case .startOnCell: [point: .init(actor: 0), point + 1: .init(actor: 0, maker: point)]
    case .startOnMain: [point + 1: .init(actor: Self.main, maker: point)]
    case .open, .wait: [point: .init(actor: Self.gate)]
    case .pendOnCell: [point: .init(actor: 1)]
    case .hand(let place, _), .awaited(let place, _):
      place.mailbox.map { [point + 1: .init(actor: $0, maker: point)] } ?? [:]
    case .barrier: Program.Place.concurrent.mailbox.map { [point + 1: .init(actor: $0, maker: point)] } ?? [:]
    case .sync(let place, _): place.mailbox.map { [point: .init(actor: $0)] } ?? [:]
    default: [:]
    }
  }
}

extension Program.Place {
  /// Where its work waits for its turn; nil where each comes at once.
  fileprivate var mailbox: Int? {
    switch self {
    case .upper, .serial: 4
    case .concurrent: 5
    case .main, .mainActor: 2
    case .global, .thread, .task, .operations, .single: nil
    }
  }
}
