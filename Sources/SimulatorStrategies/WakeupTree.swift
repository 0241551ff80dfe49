/// The sequences that are still to run from a point: wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic
/// Partial Order Reduction, POPL 2014, section 6).
struct WakeupTree: Sendable {
  /// A step to run, with its task, the choices to take within it, and the sequences to run after it.
  struct Branch: Sendable {
    let task: UInt64
    let choices: ContiguousArray<Int32>
    /// The accesses of the step where it was observed. If that was after the step that it now runs before, it may
    /// access something else. Then it races with the steps that share that object, and the race is found when both have
    /// run.
    let footprint: Footprint
    var rest = WakeupTree()
  }

  private(set) var branches: ContiguousArray<Branch> = []

  /// Removes and returns the branch that begins with a step of `task`.
  mutating func take(_ task: UInt64) -> Branch? {
    guard !branches.isEmpty else { return nil }
    return branches.firstIndex { $0.task == task }.map { branches.remove(at: $0) }
  }

  /// Removes and returns the branch to run first.
  mutating func takeFirst() -> Branch? { branches.isEmpty ? nil : branches.removeFirst() }

  /// Makes sure that an order equivalent to `sequence`, which consists of steps of `races`, will run.
  mutating func insert(_ sequence: PlannedSequence, of races: Races) {
    for index in branches.indices {
      var rest = sequence
      switch rest.take(branches[index], of: races) {
      case .no: continue
      case .covered: return
      case .yes:
        // Everything that follows a leaf is run completely.
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

/// Steps to run in this order or an equivalent one.
struct PlannedSequence {
  /// The numbers of the steps in the execution that showed them.
  private(set) var numbers: ContiguousArray<Int>

  init(numbers: ContiguousArray<Int>) { self.numbers = numbers }

  enum Taken { case yes, no, covered }

  /// Takes the step of this branch out of the sequence, if the sequence may as well begin with it.
  mutating func take(_ branch: WakeupTree.Branch, of races: Races) -> Taken {
    guard let index = numbers.firstIndex(where: { races.task(of: $0) == branch.task }) else {
      return isFree(of: branch.footprint, races) ? .yes : .no
    }
    guard isInitial(index, races) else { return .no }
    // All choices within a step are tried when the step runs.
    guard races.choices(of: numbers[index]) == branch.choices else { return .covered }
    numbers.remove(at: index)
    return .yes
  }

  /// Returns true if the sequence may as well begin with a step of `task`, which accesses `footprint`.
  func mayBegin(with task: UInt64, _ footprint: Footprint, of races: Races) -> Bool {
    if let index = numbers.firstIndex(where: { races.task(of: $0) == task }) {
      return isInitial(index, races)
    }
    return isFree(of: footprint, races)
  }

  /// Returns true if nothing in the sequence must come before its step number `index`.
  private func isInitial(_ index: Int, _ races: Races) -> Bool {
    for earlier in numbers[..<index] where races.comes(earlier, before: numbers[index]) { return false }
    return true
  }

  private func isFree(of footprint: Footprint, _ races: Races) -> Bool {
    for number in numbers where races.conflicts(number, footprint) { return false }
    return true
  }
}
