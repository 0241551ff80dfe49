/// The end of a sequence in which the same elements repeat.
package struct Repetition: Hashable {
  /// The number of elements that repeat.
  package let length: Int
  /// The number of times that they come.
  package let times: Int

  /// Finds the shortest part with which `elements` end and that comes at least `times` times, if there is one of at
  /// most `longest` elements. O(elements that repeat × longest) at worst.
  package init?(
    atEndOf elements: some RandomAccessCollection<some Equatable>, longest: Int = 200, times least: Int = 3
  ) {
    let last = Array(elements.suffix(longest * least))
    let found = (1...longest).first { length in
      last.count >= length * least
        && (0..<length * (least - 1)).allSatisfy {
          last[last.count - 1 - $0] == last[last.count - 1 - $0 - length]
        }
    }
    guard let length = found else { return nil }
    var equal = 0
    var index = elements.endIndex
    var before = elements.index(elements.endIndex, offsetBy: -length)
    while before > elements.startIndex {
      index = elements.index(before: index)
      before = elements.index(before: before)
      guard elements[index] == elements[before] else { break }
      equal += 1
    }
    self.length = length
    times = equal / length + 1
  }
}

extension Trace {
  /// The steps that repeat at its end; nil if there are none, or if its events were not kept.
  package var repetition: Repetition? {
    struct Step: Equatable {
      let domain: Int
      let task: Int?
      let place: UInt?
    }
    let steps = events.lazy.filter { $0.kind == .step }.suffix(2_000).map { event in
      Step(domain: event.domain, task: event.task, place: stacks[event.step - 1].first)
    }
    return Repetition(atEndOf: Array(steps))
  }
}
