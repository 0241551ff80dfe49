import Foundation

extension Error {
  /// Whether somebody has called it off. `URLSession` says so with an error of its own.
  var isCancellation: Bool {
    self is CancellationError || (self as? URLError)?.code == .cancelled
  }
}
