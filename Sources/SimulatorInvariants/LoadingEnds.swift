public import SimulatorCore

extension Invariant {
  /// When all is at rest, no screen says that it is loading.
  ///
  /// The fault: one path out of the load forgets the spinner, which spins forever.
  ///
  /// ```swift
  /// guard !Task.isCancelled else { return }   // the phase is still .loading
  /// ```
  ///
  /// Judged at every moment at which nothing can run and no timer waits. A screen that the user has left is not judged.
  ///
  /// - Parameters:
  ///   - screens: The observed values.
  ///   - part: The part of them that holds the status, if they are records.
  ///   - loading: The value that they show while they load.
  public static func loadingEnds(
    on screens: String..., part: String? = nil, as loading: Trace.Value = "loading"
  ) -> Invariant {
    Invariant("loading-ends", "When all is at rest, no screen says that it is loading.") {
      LoadingEnds(screens: screens, part: part, loading: loading)
    }
  }
}

private struct LoadingEnds: Invariant.Monitor {
  let screens: [String]
  let part: String?
  let loading: Trace.Value
  private var turning: [String] = []
  private var isGone = false
  private var activity = Activity()
  private(set) var judged = false

  init(screens: [String], part: String?, loading: Trace.Value) {
    self.screens = screens
    self.part = part
    self.loading = loading
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .changed(let name, _, let to) where screens.contains(name):
      turning.removeAll { $0 == name }
      if part.flatMap({ to[$0] }) ?? to == loading {
        turning.append(name)
        judged = true
      }
    case .dismissed: isGone = true
    case .appeared: isGone = false
    default: break
    }
    return nil
  }

  mutating func paused(_ time: VirtualInstant) -> String? { atRest(time) }

  mutating func atRest(_ time: VirtualInstant) -> String? {
    guard let screen = turning.first, !isGone, activity.isQuiet else { return nil }
    return "at \(time) all is at rest, and \(screen) still has \(loading)"
  }
}
