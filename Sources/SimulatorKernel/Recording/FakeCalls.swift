internal import SimulatorCore

/// A hash of the calls that each fake of an execution received, in the order in which it received them.
final class FakeCalls: ExecutionTable {
  private var fakes: [(name: UInt64, calls: UInt64)] = []
  private(set) var isFresh = true

  /// Adds a call with this hash to what the fake `name` saw.
  func add(_ call: UInt64, to name: UInt64) {
    if let index = fakes.firstIndex(where: { $0.name == name }) {
      fakes[index].calls = Digest.mix(fakes[index].calls, call)
    } else {
      fakes.append((name, call))
      isFresh = false
    }
  }

  /// The hash of what all fakes saw, whatever the order among them.
  var behavior: UInt64 { isFresh ? 0 : fakes.reduce(0) { $0 &+ Digest.mix($1.name, $1.calls) } }

  func removeAll() {
    guard !isFresh else { return }
    fakes.removeAll(keepingCapacity: true)
    isFresh = true
  }
}
