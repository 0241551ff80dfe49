/// Does both at once. When one fails, the other is canceled, whichever of them it is.
func both<First: Sendable, Second: Sendable>(
  _ first: @escaping @Sendable () async throws -> First,
  _ second: @escaping @Sendable () async throws -> Second
) async throws -> (First, Second) {
  try await withThrowingTaskGroup(of: Either<First, Second>.self) { group in
    group.addTask { .first(try await first()) }
    group.addTask { .second(try await second()) }
    var results: (first: First?, second: Second?)
    for try await result in group {
      switch result {
      case .first(let value): results.first = value
      case .second(let value): results.second = value
      }
    }
    guard let first = results.first, let second = results.second else { throw CancellationError() }
    return (first, second)
  }
}

private enum Either<First: Sendable, Second: Sendable> {
  case first(First)
  case second(Second)
}
