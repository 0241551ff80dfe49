/// The outcomes of executions. This module is compiled without the flag, so the simulator does not see a step add one.
public final class Outcomes: @unchecked Sendable {
  // @unchecked Sendable because executions follow one another.
  public private(set) var all: Set<String> = []

  public init() {}

  public func add(_ outcome: String) { all.insert(outcome) }
}
