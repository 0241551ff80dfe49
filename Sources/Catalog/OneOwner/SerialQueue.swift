/// Does one thing after the other: the next begins when the one before it has ended.
actor SerialQueue {
  private var last: Task<Void, Never>?

  func run<Answer: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let task = Task { [last] in
      await last?.value
      return try await operation()
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
