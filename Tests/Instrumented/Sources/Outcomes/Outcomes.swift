/// What executions came to. This module is compiled without the flag, so a step that adds an outcome accesses nothing that is told.
public final class Outcomes: @unchecked Sendable {
  // @unchecked Sendable because executions follow one another.
  public private(set) var all: Set<String> = []

  public init() {}

  public func add(_ outcome: String) { all.insert(outcome) }
}
