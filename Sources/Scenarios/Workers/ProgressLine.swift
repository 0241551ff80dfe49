internal import CProcesses
import Simulator

/// How far a search has come, in one line of a terminal that is written over again and again. Nowhere else is
/// there any.
struct ProgressLine {
  /// What there is to show.
  struct State {
    let variants: Int
    let of: Int
    let schedules: Int
    let behaviors: Int
    let elapsed: Duration
    let limit: Duration?
  }

  private let terminal: Terminal
  private let columns: Int
  private var isVisible = false
  private var next = Duration.milliseconds(500)

  init(_ terminal: Terminal) {
    self.terminal = terminal
    columns = terminal.isStandard ? min(80, Int(cp_columns(2))) : 0
  }

  /// Whether standard error is a terminal that shows it.
  var isShown: Bool { columns > 0 }

  /// Shows `state`, unless something was shown a moment ago.
  mutating func show(_ state: State) {
    guard isShown, state.elapsed >= next else { return }
    next = state.elapsed + .milliseconds(200)
    isVisible = true
    terminal.complain("\r\u{1B}[K" + Self.text(state, columns: columns))
  }

  /// Takes the line away, so that something else can be written.
  mutating func clear() {
    guard isVisible else { return }
    isVisible = false
    terminal.complain("\r\u{1B}[K")
  }

  /// What is most worth knowing comes first; the rest is cut off where the line ends.
  static func text(_ state: State, columns: Int) -> String {
    let seconds = max(0.001, state.elapsed / .seconds(1))
    let rate = Int(Double(state.schedules) / seconds)
    let parts = [
      "\(state.variants)/\(state.of) variants", "\(state.schedules.grouped) schedules", "\(rate.grouped)/s",
      "\(state.behaviors.grouped) behaviors", timeLeft(state),
    ]
    return String(parts.compactMap(\.self).joined(separator: " · ").prefix(max(0, columns - 1)))
  }

  /// At the pace so far, but not beyond the limit.
  private static func timeLeft(_ state: State) -> String? {
    let rest = state.limit.map { max(.zero, $0 - state.elapsed) }
    guard state.variants > 0 else { return rest.map { "\(text($0)) left" } }
    let likely = state.elapsed * (Double(state.of - state.variants) / Double(state.variants))
    return "\(text(min(likely, rest ?? likely))) left"
  }

  private static func text(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
