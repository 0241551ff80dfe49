import ScenarioFiles
import Simulator

/// The script lines that have a time, in the order in which they are due.
///
/// A line whose time is a range comes at its low end, and is then performed or put off.
struct Timetable {
  enum Entry: Equatable {
    /// The line is performed now, or up to `within` later.
    case decide(line: Int, within: Duration)
    /// The line is performed.
    case act(line: Int)

    /// The name that reports give to the moment at which it comes.
    func name(in script: [ScriptLine]) -> String {
      switch self {
      case .decide(let line, _): "\(script[line].shortText) (earliest)"
      case .act(let line): script[line].shortText
      }
    }
  }

  private var entries: [(time: Duration, line: Int, entry: Entry)] = []

  /// The moments of `lines`; alternatives are decided now, in the order of the file.
  init(_ lines: [ScriptLine]) {
    for (index, line) in lines.enumerated() {
      switch line.at {
      case .anytime, .everywhere: break
      case .offered(.range(let range)) where range.lowerBound < range.upperBound:
        let low = range.lowerBound.duration
        add(low, index, .decide(line: index, within: range.upperBound.duration - low))
      case .offered(let offer): add(offer.timing.drawn(.moment), index, .act(line: index))
      }
    }
  }

  /// Removes and returns the earliest entry; lines that are due together come in the order of the file.
  mutating func next() -> (time: Duration, entry: Entry)? {
    guard !entries.isEmpty else { return nil }
    let first = entries.removeFirst()
    return (first.time, first.entry)
  }

  private mutating func add(_ time: Duration, _ line: Int, _ entry: Entry) {
    let place = entries.firstIndex { (time, line) < ($0.time, $0.line) } ?? entries.endIndex
    entries.insert((time, line, entry), at: place)
  }
}

extension ScriptLine {
  var at: ScriptTime {
    switch self {
    case .action(let line): line.at
    case .cancel(let line): line.at
    case .anything: .anytime
    }
  }
}
