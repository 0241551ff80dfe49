import Foundation

// How much tests try. `swift test` tries a part, so that it takes minutes. With `SIMULATOR_LONG_TESTS=1` they try more, as a later
// step of `.ci/run` does; with `SIMULATOR_LONG_TESTS=all` they try all that they can, before a release.

private let effort = ProcessInfo.processInfo.environment["SIMULATOR_LONG_TESTS"]

/// True if a test may take minutes.
package let triesMore = effort == "1" || effort == "all"

/// Returns what a test is to try where a later step of CI tries no more than `swift test`.
package func tries<Value>(_ part: Value, all: Value) -> Value { tries(part, more: part, all: all) }

/// Returns what a test is to try.
package func tries<Value>(_ part: Value, more: Value, all: Value) -> Value {
  switch effort {
  case "1": more
  case "all": all
  default: part
  }
}
