public import SimulatorCore

extension Invariant {
  /// Displayed progress only grows.
  ///
  /// The race: each report is handled in its own task, and a later report is handled first.
  ///
  /// ```swift
  /// transfer.onProgress = { parts in Task { await self.show(parts) } }
  /// ```
  ///
  /// A value that is not a number, or has no such part, ends the progress: the next number starts over.
  ///
  /// - Parameters:
  ///   - screen: The observed value.
  ///   - part: The part of it that holds the progress, if it is a record.
  ///   - operation: The operation whose answers are the progress, each a number or a list of numbers, if there is one.
  public static func progressNeverBack(
    on screen: String, _ part: String? = nil, of operation: String? = nil
  ) -> Invariant {
    Invariant("progress-never-back", "Progress that is shown only grows.") {
      ProgressNeverBack(screen: screen, part: part, operation: operation)
    }
  }
}

private struct ProgressNeverBack: Invariant.Monitor {
  let screen: String
  let part: String?
  let operation: String?
  private var shown: Int?
  /// The position of each number among the reports.
  private var order: [Trace.Value: Int] = [:]
  private var reports = 0
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(screen: String, part: String?, operation: String?) {
    self.screen = screen
    self.part = part
    self.operation = operation
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .ended(let call, .returned(let value)) where call.operation == operation:
      for report in value.elements ?? [value] {
        reports += 1
        order[report] = reports
      }
    case .changed(screen, _, let to): return showed(part == nil ? to : part.flatMap { to[$0] }, event)
    default: break
    }
    return nil
  }

  private mutating func showed(_ value: Trace.Value?, _ event: Trace.Event) -> String? {
    guard case .int(let progress)? = value else {
      shown = nil
      return nil
    }
    defer { shown = progress }
    guard let shown else { return nil }
    judged = true
    guard progress < shown else { return nil }
    if let earlier = order[.int(progress)], let later = order[.int(shown)], earlier < later {
      diagnosis = .outOfOrder
    }
    return "at \(event.time) \(screen) showed \(shown) and went back to \(progress)"
  }
}
