internal import CProcesses
import Foundation
import Simulator

/// How the workers of one unit ended before they had answered.
struct WorkerLosses {
  /// One of them.
  enum Loss: Equatable {
    case ended(Death.Cause)
    /// Other code has written to the connection.
    case garbled

    /// Whether somebody else may have done it. A program that kills itself shows that in the child that runs ahead.
    var isFromOutside: Bool {
      switch self {
      case .ended(.signal(SIGKILL)), .garbled: true
      case .ended: false
      }
    }
  }

  /// A place in the search.
  struct Spot: Equatable {
    let executions: Int
    let steps: Int
    let choices: [Schedule.Choice]?

    init(_ recorder: FlightRecorder) {
      executions = recorder.executions
      steps = recorder.steps
      choices = recorder.choices
    }
  }

  private(set) var count = 0
  private var kills = 0
  private var last: (loss: Loss, spot: Spot)?
  /// Whether the last two ended in the same way at the same place.
  private(set) var isRepeated = false

  /// How many a unit may end before nothing is concluded any more. Who kills processes may stop doing so.
  private static let most = 4
  private static let mostKills = 12

  mutating func add(_ loss: Loss, at spot: Spot) {
    count += 1
    if loss == .ended(.signal(SIGKILL)) { kills += 1 }
    isRepeated = last.map { $0 == (loss, spot) } ?? false
    last = (loss, spot)
  }

  /// Whether another worker would be one too many.
  var areTooMany: Bool { kills >= Self.mostKills || count - kills >= Self.most }

  /// What happened and what to do about it.
  var sentence: String {
    let times = count == 1 ? "once" : "\(count) times"
    let limit = Machine.limitOfProcessorTime
    return switch last?.loss {
    case .ended(.signal(SIGXCPU)) where limit != nil:
      "its process was ended \(times) by the limit of processor time; \(limit ?? "")"
    case .ended(.signal(SIGKILL)):
      "its process was killed \(times), and no schedule shows why; \(limit.map { "\($0); " } ?? "")if memory is short, run it again with fewer --jobs or more memory"
    case .ended(.signal(let number)):
      "its process ended \(times), the last time by signal \(number), and no schedule shows why; run it again alone, with --jobs 1"
    case .ended(.exit(let status)):
      "its process ended \(times), the last time by exit(\(status)), and no schedule shows why; run it again alone, with --jobs 1"
    case .ended(.stalled), .ended(.tooLarge), .ended(.late):
      "its process had to be ended \(times) for the time or the memory that it took, and no schedule shows why; run it again alone, with --jobs 1"
    case .garbled:
      "its process wrote \(times) to the connection that carries the results; let the program write only to files that it has opened"
    case nil: "its process could not be started"
    }
  }
}
