import Foundation

/// A signal that ended what was under way.
struct Interruption: Error {
  let signal: Int32

  var status: ToolStatus { signal == SIGINT ? .interrupted : .terminated }
}
