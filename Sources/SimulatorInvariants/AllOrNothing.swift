public import SimulatorCore

extension Invariant {
  /// When all is at rest, the disk holds a whole set, either the old one or a new one, never a part of one.
  ///
  /// The race: a batch is written entity by entity, and a failure or a cancel comes halfway through.
  ///
  /// ```swift
  /// for stop in stops { try await disk.write(stop) }
  /// ```
  ///
  /// Judged when nothing is under way: during a write, the disk may hold anything.
  ///
  /// - Parameters:
  ///   - disk: The observed value.
  ///   - wholes: The sets that are whole, besides what the disk held at first.
  public static func allOrNothing(on disk: String, of wholes: Invariant.Wholes...) -> Invariant {
    Invariant("all-or-nothing", "At rest the disk holds the old set or the new one, whole.") {
      AllOrNothing(disk: disk, wholes: WholeValues(wholes))
    }
  }
}

private struct AllOrNothing: Invariant.Monitor {
  let disk: String
  var wholes: WholeValues
  private var held: Trace.Value?
  private var isAtRisk = false
  private(set) var diagnosis: Invariant.Diagnosis?
  private var first: Trace.Value?
  private var seen: Set<Trace.Value> = []
  private var activity = Activity()

  init(disk: String, wholes: WholeValues) {
    self.disk = disk
    self.wholes = wholes
  }

  var judged: Bool { isAtRisk }

  mutating func saw(_ event: Trace.Event) -> String? {
    wholes.saw(event)
    activity.saw(event)
    switch event.kind {
    case .effect, .ended(_, .threw), .ended(_, .cancelled): isAtRisk = true
    case .changed(disk, let from, let to):
      if held == nil {
        first = from == .none ? to : from
        wholes.insert(from == .none ? to : from)
      }
      seen.formUnion(to.elements ?? [])
      held = to
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let held, activity.isQuiet, !wholes.contains(held) else { return nil }
    if wholes.isWrittenInPart(held, first: first, seen: seen) {
      diagnosis = .writtenInPart
    } else if case .mixture = wholes.composition(of: held) {
      diagnosis = .mixedResults
    }
    return "at rest \(disk) holds \(held), which is neither the old set nor a new one"
  }
}
