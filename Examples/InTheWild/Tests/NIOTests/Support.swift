import DequeModule
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import SimulatorTesting

extension Simulation.Options {
  /// A step may be left in its middle, and what is alive at the end is a violation.
  static let overlapping = Simulation.Options(steps: .preemptible, forbidsOutlivingTasks: true)
}

/// How many schedules a test tries. More: `SCHEDULES=20000 swift test`.
let schedules = ProcessInfo.processInfo.environment["SCHEDULES"].flatMap { Int($0) } ?? 500

typealias Watermark = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark

/// Counts what it is told, and tells who waits for more demand.
final class Demand: NIOAsyncSequenceProducerDelegate {
  struct State {
    var terminations = 0
    var isDemanded = true
    var waiting: CheckedContinuation<Bool, Never>?
  }
  private let state = NIOLockedValueBox(State())

  var terminations: Int { state.withLockedValue(\.terminations) }

  func produceMore() { tell { $0.isDemanded = true } }

  func didTerminate() { tell { $0.terminations += 1 } }

  /// A yield has answered that enough is there.
  func isMet() { state.withLockedValue { $0.isDemanded = false } }

  private func tell(_ change: (inout State) -> Void) {
    let (waiting, goesOn) = state.withLockedValue { state in
      change(&state)
      defer { state.waiting = nil }
      return (state.waiting, state.terminations == 0)
    }
    waiting?.resume(returning: goesOn)
  }

  /// Waits for demand. False where none will come any more.
  func more() async -> Bool {
    await withCheckedContinuation { continuation in
      let goesOn: Bool? = state.withLockedValue { state in
        if state.terminations > 0 { return false }
        if state.isDemanded { return true }
        state.waiting = continuation
        return nil
      }
      if let goesOn { continuation.resume(returning: goesOn) }
    }
  }
}

/// Keeps what is written, and how it ended.
final class Sink<Element: Sendable>: NIOAsyncWriterSinkDelegate {
  private let state = NIOLockedValueBox((written: [Element](), terminations: 0))

  var written: [Element] { state.withLockedValue(\.written) }
  var terminations: Int { state.withLockedValue(\.terminations) }

  func didYield(contentsOf elements: Deque<Element>) { state.withLockedValue { $0.written += elements } }

  func didTerminate(error: (any Error)?) { state.withLockedValue { $0.terminations += 1 } }
}
