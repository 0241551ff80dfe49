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
    return mailboxes
  }
}

extension Program.Kind {
  private static let (main, gate) = (2, 3)

  fileprivate func mailboxes(at point: Int) -> [Int: Program.Mailbox] {
    switch self {
    case .read(let cell), .set(let cell, _), .add(let cell): [point: .init(actor: cell)]
    case .increment(let cell): [point: .init(actor: cell), point + 1: .init(actor: cell)]
    case .relay: [point: .init(actor: 0), point + 1: .init(actor: 1)]
    case .count: [point: .init(actor: Self.main)]
    case .startOnCell: [point: .init(actor: 0), point + 1: .init(actor: 0, maker: point)]
    case .startOnMain: [point + 1: .init(actor: Self.main, maker: point)]
    case .open, .wait: [point: .init(actor: Self.gate)]
    default: [:]
    }
  }
}
