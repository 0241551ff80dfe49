import Foundation
import Scenarios

// A process with two threads cannot be forked.
if ProcessInfo.processInfo.environment["BEGINS_THREAD"] != nil {
  Thread.detachNewThread { while true { sleep(1_000) } }
}

CommandLineTool.main(systems: [Visits.self, Shared.self])
