/// Objects that actors own and anyone may look at.
final class Objects: Sendable {
  let owners: [Owner]
  private let references: [Reference]

  init(_ count: Int, _ board: Board, _ pacer: Pacer) {
    let objects = (0..<count).map { number in Object { board.note("e\(number)") } }
    owners = objects.map { Owner($0, pacer) }
    references = objects.map(Reference.init)
  }

  func sees(_ object: Int) -> String { references[object].object == nil ? "g" : "a" }
}

/// Says when it ends.
final class Object: Sendable {
  private let ends: @Sendable () -> Void
  init(_ ends: @escaping @Sendable () -> Void) { self.ends = ends }
  deinit { ends() }
}

private final class Reference: @unchecked Sendable {
  // @unchecked Sendable because it is never written again.
  weak private(set) var object: Object?
  init(_ object: Object) { self.object = object }
}

actor Owner {
  private let pacer: Pacer
  private var object: Object?

  init(_ object: Object, _ pacer: Pacer) {
    self.object = object
    self.pacer = pacer
  }

  func drop(_ point: Int) { pacer.step(point) { object = nil } }

  func taken(_ point: Int) -> Object? { pacer.step(point) { object } }
}

extension Run {
  func hold(_ object: Int, _ body: Program.Body, _ point: Int) async -> String {
    pacer.approach(point)
    let held = await objects.owners[object].taken(point)
    let text = await run(body, Context())
    return pacer.step(point + 1) {
      withExtendedLifetime(held) {}
      return "\(held == nil ? "n" : "h")(\(text))"
    }
  }

  private struct Failure: Error { let object: Object }

  func result(isError: Bool, _ point: Int) async -> String {
    weak var seen: Object?
    if isError {
      do {
        try await Task.detached { [pacer] in throw pacer.step(point) { Failure(object: Object {}) } }.value
      } catch {
        seen = (error as? Failure)?.object
      }
    } else {
      let object = await Task.detached { [pacer] in pacer.step(point) { Object {} } }.value
      seen = object
    }
    return pacer.step(point + 1) { seen == nil ? "G" : "A" }
  }
}
