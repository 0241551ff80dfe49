import Litmus
import Simulator

/// A correct program: no schedule of it may show a violation.
struct Control: Sendable {
  let name: String
  let body: @Sendable (Simulation) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (Simulation) async throws -> Void) {
    self.name = name
    self.body = body
  }

  /// The litmus programs, which may come to their legal outcomes only, and those of our own.
  static let all = Litmus.all.filter { !$0.waits }.map(Control.init) + own

  /// In the manner of apps.
  static let own = [
    imageCache, pipeline, rateLimiter, semaphore, debouncedSearch, connectionPool, hub, retry, indexer,
    lockedCache,
    eventLoop, accounts,
  ]

  private init(_ litmus: Litmus) {
    self.init("litmus " + litmus.name) { _ in
      let outcome = await litmus.program()
      try check(litmus.outcomes.contains(outcome), "illegal outcome \(outcome)")
    }
  }
}

/// What a control throws where it is wrong.
struct Wrong: Error, CustomStringConvertible {
  let description: String
}

func check(_ isRight: Bool, _ text: @autoclosure () -> String) throws(Wrong) {
  if !isRight { throw Wrong(description: text()) }
}
