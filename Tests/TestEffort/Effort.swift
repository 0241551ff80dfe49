import Foundation

/// Whether a test tries all that it can: `swift test` tries a part of it, so that it takes minutes, and a later step of `.ci/run`
/// the whole.
package let triesAll = ProcessInfo.processInfo.environment["SIMULATOR_LONG_TESTS"] == "1"
