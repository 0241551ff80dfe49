internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

// A schedule that can spare no deviation may be far from the smallest: one deviation may do what two others do together.

extension Shrinker {
  /// Searches locally: leaves out one or two deviations and makes one other choice anywhere instead. Stops when nothing of that
  /// kind is untried, or when no more than `reserve` executions are left.
  ///
  /// The search continues with every smaller schedule. It also continues with those that have as many deviations, because they
  /// may lead to a smaller one.
  mutating func exchange(_ reserve: Int) {
    var random = Strategies.SplitMix64(state: 0)
    var size = best.met.count
    var states = [Exchanges(best)]
    var known: Set<Set<Landmark>> = [Set(best.landmarks)]
    while trials.left > reserve, size > max(1, exhausted), !states.isEmpty {
      // The latest state, or any: a chain of equals may lead nowhere.
      let index = random.below(2) == 0 ? states.count - 1 : random.below(states.count)
      guard let trial = next(&states[index], &random) else {
        if states[index].isDone { states.remove(at: index) }
        continue
      }
      keep(trial)
      guard trial.isWanted, trial.met.count <= size, known.insert(Set(trial.landmarks)).inserted else {
        continue
      }
      if trial.met.count < size { states.removeAll() }
      size = trial.met.count
      states.append(Exchanges(trial))
    }
  }

  /// Runs the next exchange; nil if there was none to run.
  private mutating func next(_ state: inout Exchanges, _ random: inout Strategies.SplitMix64) -> Trials.Trial?
  {
    guard let index = state.draw(&random) else { return nil }
    let kept = state.kept(index)
    guard state.subsets[index].places != nil else {
      let trial = trials.run(.landmarks(kept))
      state.subsets[index].places = OpenPlaces(trial?.execution.choices ?? [], from: random.next())
      return trial
    }
    guard let deviation = state.subsets[index].places?.next() else {
      state.close(index)
      return nil
    }
    return trials.run(.landmarks(kept, and: deviation))
  }
}

/// The deviations that can be left out of a schedule, and the choices that can be made instead.
private struct Exchanges {
  struct Subset {
    let left: [Int]
    /// The places for another choice when those deviations are left out; nil until the rest has run.
    var places: OpenPlaces?
  }

  private let landmarks: [Landmark]
  var subsets: [Subset] = []
  /// The subsets that leave one deviation out and are not done, and below those that leave out two.
  private var singles: [Int]
  private var pairs: [Int]

  init(_ trial: Trials.Trial) {
    landmarks = trial.landmarks
    let count = landmarks.count
    for index in 0..<count { subsets.append(Subset(left: [index])) }
    for one in 0..<count {
      for other in one + 1..<max(one + 1, count) { subsets.append(Subset(left: [one, other])) }
    }
    singles = Array(0..<count)
    pairs = Array(count..<subsets.count)
  }

  var isDone: Bool { singles.isEmpty && pairs.isEmpty }

  /// Returns the landmarks without those that the subset leaves out.
  func kept(_ subset: Int) -> [Landmark] {
    landmarks.indices.filter { !subsets[subset].left.contains($0) }.map { landmarks[$0] }
  }

  /// Returns the next subset. First leaves out each deviation alone. Then two exchanges of three leave out two.
  func draw(_ random: inout Strategies.SplitMix64) -> Int? {
    if let single = singles.first(where: { subsets[$0].places == nil }) { return single }
    let open = pairs.isEmpty || (!singles.isEmpty && random.below(3) == 0) ? singles : pairs
    return open.isEmpty ? nil : open[random.below(open.count)]
  }

  mutating func close(_ subset: Int) {
    singles.removeAll { $0 == subset }
    pairs.removeAll { $0 == subset }
  }
}

/// The choices of an execution that took the natural option, each with every other option, once and spread evenly.
private struct OpenPlaces {
  private let options: [Int32]
  private let count: Int
  private let stride: Int
  private var place: Int
  private var left: Int

  init(_ choices: [Schedule.Choice], from ticket: UInt64) {
    options = choices.map { $0.taken == 0 ? Int32(clamping: $0.optionsInOrder) : 1 }
    let count = options.reduce(0) { $0 + Int($1) - 1 }
    self.count = count
    stride = Self.stride(count)
    place = count == 0 ? 0 : Int(ticket % UInt64(count))
    left = count
  }

  /// Returns a number that is close to the golden ratio of `count` and coprime to `count`.
  private static func stride(_ count: Int) -> Int {
    func isCoprime(_ a: Int, _ b: Int) -> Bool { b == 0 ? a == 1 : isCoprime(b, a % b) }
    var stride = max(1, Int(Double(count) * 0.618_033_988_749_895))
    while !isCoprime(stride, count) { stride += 1 }
    return stride
  }

  mutating func next() -> Schedule.Deviation? {
    guard left > 0 else { return nil }
    left -= 1
    var rest = place
    place = (place + stride) % count
    var position = 0
    while rest >= Int(options[position]) - 1 {
      rest -= Int(options[position]) - 1
      position += 1
    }
    return Schedule.Deviation(position: position, taken: rest + 1, options: Int(options[position]))
  }
}
