internal import Simulator

/// The details that rows show on hover or focus: the place at which a step resumes, its source line, and the callers; and
/// the values that change.
/// The page contains each once, and rows refer to it.
struct DetailTable {
  private var places: [Explorer.Chart.Place: Int] = [:]
  private var order: [Explorer.Chart.Place] = []
  private var stacks: [[Int]: Int] = [:]
  private var stackOrder: [[Int]] = []
  private var changes: [[Explorer.Chart.Change]] = []

  /// Returns the number of these places; nil if there are none.
  mutating func index(of stack: [Explorer.Chart.Place]) -> Int? {
    guard !stack.isEmpty else { return nil }
    let numbers = stack.map { place in
      if let known = places[place] { return known }
      places[place] = order.count
      order.append(place)
      return order.count - 1
    }
    if let known = stacks[numbers] { return known }
    stacks[numbers] = stackOrder.count
    stackOrder.append(numbers)
    return stackOrder.count - 1
  }

  /// Returns the number of these changes; nil if there are none.
  mutating func index(of changes: [Explorer.Chart.Change]) -> Int? {
    guard !changes.isEmpty else { return nil }
    if let known = self.changes.firstIndex(of: changes) { return known }
    self.changes.append(changes)
    return self.changes.count - 1
  }

  /// All details, in the form that the page's script reads.
  var json: String {
    let places = order.map { place in
      "[\(HTMLText.json(place.function)),\(HTMLText.json(place.file)),\(place.line)"
        + (place.text.map { "," + HTMLText.json($0) } ?? "") + "]"
    }
    let stacks = stackOrder.map { "[" + $0.map(String.init).joined(separator: ",") + "]" }
    // Three numbers a change: its name, the value before, the value after. Each text is written once.
    var words: [String] = []
    var numbers: [String: Int] = [:]
    let changes = changes.map { list in
      let triples = list.flatMap { [$0.name, $0.before, $0.after] }.map { word in
        if numbers[word] == nil {
          numbers[word] = words.count
          words.append(HTMLText.json(word))
        }
        return String(numbers[word, default: 0])
      }
      return "[" + triples.joined(separator: ",") + "]"
    }
    return "{\"places\":[\(places.joined(separator: ","))],\"stacks\":[\(stacks.joined(separator: ","))],"
      + "\"words\":[\(words.joined(separator: ","))],\"changes\":[\(changes.joined(separator: ","))]}"
  }
}
