/// A step of a sequence that is to be run: whose it is, and what was chosen within it.
struct PlannedStep {
  let task: UInt64
  let choices: ContiguousArray<Int32>
  /// What it touched where it was seen; nil where it was seen behind the step that it is now to run ahead of, so
  /// that it may touch something else.
  let footprint: Footprint?
  /// Which of the earlier steps of its sequence come before it in every order.
  var before: Set<Int>
}

/// The sequences that are still to be run from a point: wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal
/// Dynamic Partial Order Reduction, POPL 2014, section 6).
struct WakeupTree: Sendable {
  struct Branch: Sendable {
    let task: UInt64
    let choices: ContiguousArray<Int32>
    let footprint: Footprint?
    var rest = WakeupTree()
  }

  private(set) var branches: ContiguousArray<Branch> = []

  /// Takes out what is to be run beginning with a step of `task`.
  mutating func take(_ task: UInt64) -> Branch? {
    branches.firstIndex { $0.task == task }.map { branches.remove(at: $0) }
  }

  /// Takes out what is to be run first.
  mutating func takeFirst() -> Branch? { branches.isEmpty ? nil : branches.removeFirst() }

  /// Makes sure that an order equal to `sequence`, as far as it matters, will be run.
  mutating func insert(_ sequence: PlannedSequence) {
    for index in branches.indices {
      var rest = sequence
      switch rest.take(branches[index].task, branches[index].choices, branches[index].footprint) {
      case .no: continue
      case .covered: return
      case .yes:
        // What is run from a leaf on is run completely.
        if rest.isEmpty || branches[index].rest.branches.isEmpty { return }
        return branches[index].rest.insert(rest)
      }
    }
    append(sequence.steps[...])
  }

  private mutating func append(_ steps: ContiguousArray<PlannedStep>.SubSequence) {
    guard let step = steps.first else { return }
    var branch = Branch(task: step.task, choices: step.choices, footprint: step.footprint)
    branch.rest.append(steps.dropFirst())
    branches.append(branch)
  }
}

/// Steps to be run in an order equal to this one as far as it matters.
struct PlannedSequence {
  private(set) var steps: ContiguousArray<PlannedStep> = []
  private var numbers: ContiguousArray<Int> = []

  var isEmpty: Bool { steps.isEmpty }

  mutating func append(_ step: PlannedStep, number: Int) {
    steps.append(step)
    numbers.append(number)
  }

  enum Taken { case yes, no, covered }

  /// Whether the sequence may as well begin with this step, and if so, without it.
  mutating func take(
    _ task: UInt64, _ choices: ContiguousArray<Int32>, _ footprint: Footprint?
  ) -> Taken {
    guard let index = steps.firstIndex(where: { $0.task == task }) else {
      guard let footprint else { return .no }
      let isFree = steps.allSatisfy { $0.footprint.map { !$0.conflicts(with: footprint) } ?? false }
      return isFree ? .yes : .no
    }
    guard isInitial(index) else { return .no }
    // All that can be chosen within a step is run when the step is.
    guard steps[index].choices == choices else { return .covered }
    steps.remove(at: index)
    numbers.remove(at: index)
    return .yes
  }

  /// Whether nothing in the sequence must come before its step number `index`.
  func isInitial(_ index: Int) -> Bool {
    !numbers[..<index].contains { steps[index].before.contains($0) }
  }

  /// Whether the sequence may as well begin with a step of `task`, which touches `footprint`.
  func mayBegin(with task: UInt64, _ footprint: Footprint) -> Bool {
    if let index = steps.firstIndex(where: { $0.task == task }) { return isInitial(index) }
    return steps.allSatisfy { $0.footprint.map { !$0.conflicts(with: footprint) } ?? false }
  }
}
