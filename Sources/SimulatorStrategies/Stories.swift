public import SimulatorStrategyInterface

extension Strategies {
  /// Tries every story within a bound exactly once, depth first: delay bounding (Emmi, Qadeer, Rakamarić: Delay-Bounded
  /// Scheduling, POPL 2011) with a bound for each kind of choice.
  ///
  /// A story is a schedule in which choices of the kind `Schedule.Choice.Kind.action` decide what the user does. Such
  /// a choice chooses nothing if the one directly before it chose nothing, because stories that differ only in where
  /// they do nothing are the same story. Settings (`Schedule.Choice.Kind.setting`) are not bounded: each of their
  /// values is tried.
  ///
  /// Memory grows with the number of choices of one execution, time with the number of stories.
  public struct Stories: Strategies.Covering {
    /// The kind that a choice counts as.
    private enum Part: Int {
      case action, answer, deviation, setting

      init(_ point: Strategies.ChoicePoint) {
        switch point.kind {
        case .action: self = .action
        case .setting: self = .setting
        case .alternative, .fault: self = .answer
        case .delay: self = point.timers == nil ? .answer : .deviation
        case .order, .moment, .cancel, .preemption, .signal, .access, .tie, .draw, .release, .load, .timer,
          .start:
          self = .deviation
        }
      }
    }

    private struct Decision {
      let options: Int32
      var taken: Int32 = 0
      let part: Part
      /// True if the decision may differ from the natural one.
      let isOpen: Bool
    }

    private let bound: Strategies.StoryBound
    private var decisions: ContiguousArray<Decision> = []
    /// The number of decisions of each part that differ from the natural one.
    private var used = [0, 0, 0, 0]
    /// The number of decisions that this execution has met.
    private var met = 0
    public private(set) var covered: Strategies.Coverage?

    /// Creates a search through all stories within `bound`.
    public init(_ bound: Strategies.StoryBound = Strategies.StoryBound()) {
      self.bound = bound
    }

    public var goal: Strategies.Coverage { .stories(bound) }

    public mutating func began(_ number: Int, seed: UInt64) { met = 0 }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      defer { met += 1 }
      if met < decisions.count { return .option(min(Int(decisions[met].taken), point.options - 1)) }
      let part = Part(point)
      decisions.append(
        Decision(options: Int32(point.optionsInOrder), part: part, isOpen: part != .action || !followsNothing)
      )
      return .option(0)
    }

    /// True if the previous choice of an action chose nothing.
    private var followsNothing: Bool {
      decisions.last { $0.part == .action }.map { $0.taken == 0 } ?? false
    }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      while let last = decisions.last {
        if last.isOpen, last.taken + 1 < last.options,
          last.taken > 0 || used[last.part.rawValue] < limit(last.part)
        {
          if last.taken == 0 { used[last.part.rawValue] += 1 }
          return decisions[decisions.count - 1].taken += 1
        }
        if last.taken > 0 { used[last.part.rawValue] -= 1 }
        decisions.removeLast()
      }
      covered = .stories(bound)
    }

    private func limit(_ part: Part) -> Int {
      switch part {
      case .action: bound.actions
      case .answer: bound.answers
      case .deviation: bound.deviations
      case .setting: .max
      }
    }
  }
}

extension SchedulingStrategy where Self == Strategies.Stories {
  /// Tries every story within a bound: `Strategies.Stories`.
  public static func stories(_ bound: Strategies.StoryBound = Strategies.StoryBound()) -> Strategies.Stories {
    Strategies.Stories(bound)
  }
}
