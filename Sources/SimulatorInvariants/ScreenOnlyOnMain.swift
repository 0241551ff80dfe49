public import SimulatorCore

extension Invariant {
  /// The screen's state is changed on the main actor, and nowhere else.
  ///
  /// The race: a model belongs to no actor. Its async method runs on the concurrent pool, whatever calls it, and there
  /// it changes what the screen is reading.
  ///
  /// ```swift
  /// final class Model {                                              // Swift 5 mode
  ///   var letters: [Letter] = []
  ///   func load() async { letters = await service.letters() }        // from a button: Task { await model.load() }
  /// }
  /// ```
  ///
  /// The first value of each is not a change, and neither is what happens between two steps.
  ///
  /// - Parameter screens: The observed values that make up the screen.
  public static func screenOnlyOnMain(_ screens: String...) -> Invariant { screenOnlyOnMain(screens) }

  /// See ``screenOnlyOnMain(_:)``.
  package static func screenOnlyOnMain(_ screens: [String]) -> Invariant {
    Invariant(
      "screen-only-on-main", "The screen's state is changed on the main actor only.",
      diagnosis: .offTheMainActor
    ) {
      ScreenOnlyOnMain(screens: screens)
    }
  }
}

private struct ScreenOnlyOnMain: Invariant.Monitor {
  let screens: [String]
  private var begun: Set<String> = []
  private(set) var judged = false

  init(screens: [String]) {
    self.screens = screens
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(let name, let from, let to) = event.kind, screens.contains(name) else { return nil }
    let isFirst = begun.insert(name).inserted && from == .none
    guard !isFirst, event.task != nil else { return nil }
    judged = true
    guard !event.isOnMainActor else { return nil }
    let domain = event.isOnPool ? "the concurrent pool" : "another actor"
    return "at \(event.time) \(name) changed from \(from) to \(to) on \(domain)"
  }
}
