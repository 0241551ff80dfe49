/// The sequences that are still to be run from a point: wakeup trees (Abdulla, Aronis, Jonsson, Sagonas:
/// Optimal Dynamic Partial Order Reduction, POPL 2014, section 6).
struct WakeupTree: Sendable {
  /// A step to be run, whose it is and what is to be chosen within it, and what is to be run after it.
  struct Branch: Sendable {
    let task: UInt64
    let choices: ContiguousArray<Int32>
    /// What it accessed where it was seen. Where that was behind the step that it is now to run ahead of, it may access
    /// something else; then it races with whom it has that in common, and the race is found when both have run.
    let footprint: Footprint
    var rest = WakeupTree()
  }

  private(set) var branches: ContiguousArray<Branch> = []

  /// Takes out what is to be run beginning with a step of `task`.
  mutating func take(_ task: UInt64) -> Branch? {
    guard !branches.isEmpty else { return nil }
    return branches.firstIndex { $0.task == task }.map { branches.remove(at: $0) }
  }

  /// Takes out what is to be run first.
  mutating func takeFirst() -> Branch? { branches.isEmpty ? nil : branches.removeFirst() }

  /// Makes sure that an order equal to `sequence`, steps of `races`, as far as it matters, will be run.
  mutating func insert(_ sequence: PlannedSequence, of races: Races) {
    for index in branches.indices {
      var rest = sequence
      switch rest.take(branches[index], of: races) {
      case .no: continue
      case .covered: return
      case .yes:
        // What is run from a leaf on is run completely.
        if rest.numbers.isEmpty || branches[index].rest.branches.isEmpty { return }
        return branches[index].rest.insert(rest, of: races)
      }
    }
    append(sequence.numbers[...], of: races)
  }

  private mutating func append(_ numbers: ContiguousArray<Int>.SubSequence, of races: Races) {
    guard let number = numbers.first else { return }
    var branch = Branch(
      task: races.task(of: number), choices: races.choices(of: number),
      footprint: races.footprint(of: number))
    branch.rest.append(numbers.dropFirst(), of: races)
    branches.append(branch)
  }
}

/// Steps to be run in an order equal to this one as far as it matters.
struct PlannedSequence {
  /// Their numbers in the execution that has shown them.
  private(set) var numbers: ContiguousArray<Int>

  init(numbers: ContiguousArray<Int>) { self.numbers = numbers }

  enum Taken { case yes, no, covered }

  /// Whether the sequence may as well begin with the step of this branch, and if so, without it.
  mutating func take(_ branch: WakeupTree.Branch, of races: Races) -> Taken {
    guard let index = numbers.firstIndex(where: { races.task(of: $0) == branch.task }) else {
      return isFree(of: branch.footprint, races) ? .yes : .no
    }
    guard isInitial(index, races) else { return .no }
    // All that can be chosen within a step is run when the step is.
    guard races.choices(of: numbers[index]) == branch.choices else { return .covered }
    numbers.remove(at: index)
    return .yes
  }

  /// Whether the sequence may as well begin with a step of `task`, which accesses `footprint`.
  func mayBegin(with task: UInt64, _ footprint: Footprint, of races: Races) -> Bool {
    if let index = numbers.firstIndex(where: { races.task(of: $0) == task }) {
      return isInitial(index, races)
    }
    return isFree(of: footprint, races)
  }

  /// Whether nothing in the sequence must come before its step number `index`.
  private func isInitial(_ index: Int, _ races: Races) -> Bool {
    for earlier in numbers[..<index] where races.comes(earlier, before: numbers[index]) { return false }
    return true
  }

  private func isFree(of footprint: Footprint, _ races: Races) -> Bool {
    for number in numbers where races.conflicts(number, footprint) { return false }
    return true
  }
}
