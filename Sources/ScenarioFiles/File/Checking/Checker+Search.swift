import Simulator

extension Checker {
  /// `search`: how long and in which manner schedules are tried.
  mutating func search(_ node: JSONNode) -> Search {
    var search = Search()
    let keys = [
      "strategy", "schedules", "seed", "until", "steps", "stepLimitPerInstant", "timerJitter", "poolThreads",
      "exhaust",
    ]
    guard let fields = fields(of: node, "\"search\"", optional: keys) else { return search }
    if let strategy = fields["strategy"] {
      search.strategy =
        name(strategy, .strategy, allowed: vocabulary.strategies.map(\.name)) ?? search.strategy
    }
    if let schedules = fields["schedules"] {
      search.schedules = integer(schedules, in: Search.scheduleLimits) ?? search.schedules
    }
    if let seed = fields["seed"] { search.seed = integer(seed, in: 0...UInt64.max) ?? search.seed }
    if let until = fields["until"] { search.until = timeLimit(until) ?? search.until }
    if let steps = fields["steps"] {
      let allowed = Simulation.Options.Steps.allCases.map(\.rawValue)
      let name = name(steps, .steps, allowed: allowed, former: FormerWord.steps)
      search.steps = name.flatMap(Simulation.Options.Steps.init) ?? search.steps
    }
    if let steps = fields["stepLimitPerInstant"] {
      search.stepLimitPerInstant = integer(steps, in: Search.stepLimits) ?? search.stepLimitPerInstant
    }
    if let jitter = fields["timerJitter"] { search.timerJitter = duration(jitter) ?? search.timerJitter }
    if let threads = fields["poolThreads"] { search.poolThreads = integer(threads, in: Search.threadLimits) }
    if let exhaust = fields["exhaust"] { self.exhaust(exhaust, in: &search) }
    return search
  }

  private mutating func timeLimit(_ node: JSONNode) -> Nanoseconds? {
    guard let until = duration(node) else { return nil }
    let limits = Search.untilLimits
    if limits.contains(until) { return until }
    let (low, high) = ("\"\(limits.lowerBound)\"", "\"\(limits.upperBound)\"")
    report(.outOfRange(found: "\"\(until)\"", low: low, high: high), at: node)
    return nil
  }

  /// All schedules with so many deviations at most; with actions or answers named, all stories.
  private mutating func exhaust(_ node: JSONNode, in search: inout Search) {
    let fields = fields(of: node, "\"exhaust\"", required: ["deviations"], optional: ["actions", "answers"])
    guard let fields else { return }
    let (actions, answers) = (fields["actions"], fields["answers"])
    guard actions != nil || answers != nil else {
      search.exhaustDeviations = fields["deviations"].flatMap { integer($0, in: Search.deviationLimits) }
      return
    }
    var bound = Strategies.StoryBound()
    let deviations = fields["deviations"].flatMap { integer($0, in: Search.storyLimits) }
    bound.deviations = deviations ?? bound.deviations
    if let actions { bound.actions = integer(actions, in: Search.storyLimits) ?? bound.actions }
    if let answers { bound.answers = integer(answers, in: Search.storyLimits) ?? bound.answers }
    search.bound = bound
  }
}
