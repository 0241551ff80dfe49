internal import SimulatorStrategyInterface

/// Counts the steps of each task at each place, also with all tasks that it makes. SURW learns this from the natural
/// order and every round since.
///
/// Anything that one execution meets for the first time is unknown to the next execution of the same round.
struct StepCounts {
  private var tasks = TaskTree()
  private var locks = PartLocks()
  /// The running task, and its pair.
  private var running = 0
  private var counted = 0
  /// The places met so far.
  private var places = PathTable()
  private var knownPlaces = 0
  /// The pairs of a task and a place.
  private var pairs = PathTable()
  private var knownPairs = 0
  private var pairTasks: ContiguousArray<Int32> = []
  private var pairPlaces: ContiguousArray<Int32> = []
  /// The steps of each pair: in this execution, the maximum in any execution, and the maximum before this round.
  private var now: ContiguousArray<Int32> = []
  private var most: ContiguousArray<Int32> = []
  private var learned: ContiguousArray<Int32> = []
  /// The pairs that executions of this round met first, in the order in which they met them.
  private var fresh: ContiguousArray<(task: TaskTree.Met, place: UInt64, steps: Int32)> = []
  /// The places where tasks can meet, because at least two tasks have steps there.
  private(set) var contested: ContiguousArray<Int> = []

  mutating func began() {
    forget()
    locks.began()
    for pair in now.indices { now[pair] = 0 }
  }

  /// Forgets everything that only this round has met.
  private mutating func forget() {
    tasks.began()
    places.keepFirst(knownPlaces)
    guard pairs.count > knownPairs else { return }
    let surplus = pairs.count - knownPairs
    pairs.keepFirst(knownPairs)
    pairTasks.removeLast(surplus)
    pairPlaces.removeLast(surplus)
    now.removeLast(surplus)
    most.removeLast(surplus)
    learned.removeLast(surplus)
  }

  /// Returns the number of the candidate's task, which may be new.
  mutating func task(of candidate: Strategies.Candidate) -> Int { tasks.number(of: candidate) }

  /// Returns the number of the task that made `task`, or -1.
  func parent(of task: Int) -> Int { tasks.parent(of: task) }

  /// Returns the number of the candidate's place.
  mutating func place(of candidate: Strategies.Candidate) -> Int {
    let object = locks.object(of: candidate)
    guard object != 0 || candidate.kind == .parked else { return place(candidate.place) }
    return place(Self.name(of: object))
  }

  /// Returns the name of the place of all parts that begin with this lock or atomic; 0 for parts of unknown object.
  private static func name(of object: Int) -> UInt64 { Digest.mix(0x4D49_4444_4C45, UInt64(object)) }

  @inline(__always)
  private mutating func place(_ name: UInt64) -> Int { places.find(name) ?? places.add(name) }

  mutating func offered(_ candidate: Strategies.Candidate) { locks.offered(candidate) }

  /// Notes that the candidate, of this task and at this place, runs.
  mutating func took(_ candidate: Strategies.Candidate, task: Int, place: Int) {
    locks.took(candidate)
    running = task
    counted = pair(task, place)
    now[counted] += 1
  }

  /// Notes that the running step takes a lock, which becomes its place if that was not known or not the expected one.
  mutating func used(_ lock: Int) {
    guard locks.used(lock) else { return }
    now[counted] -= 1
    now[pair(running, place(Self.name(of: lock)))] += 1
  }

  private mutating func pair(_ task: Int, _ place: Int) -> Int {
    let key = Digest.mix(Digest.seed, UInt64(task) << 32 | UInt64(place))
    if let pair = pairs.find(key) { return pair }
    pairTasks.append(Int32(task))
    pairPlaces.append(Int32(place))
    now.append(0)
    most.append(0)
    learned.append(0)
    return pairs.add(key)
  }

  mutating func ended() {
    for pair in 0..<knownPairs { most[pair] = max(most[pair], now[pair]) }
    for pair in knownPairs..<pairs.count {
      fresh.append((tasks.met(Int(pairTasks[pair])), places.keys[Int(pairPlaces[pair])], now[pair]))
    }
  }

  mutating func roundEnded() {
    forget()
    locks.roundEnded()
    for (met, name, steps) in fresh {
      let pair = pair(tasks.number(of: met), place(name))
      most[pair] = max(most[pair], steps)
    }
    fresh.removeAll(keepingCapacity: true)
    tasks.keep()
    knownPlaces = places.count
    knownPairs = pairs.count
    learned = most
    var taskCounts = ContiguousArray<Int32>(repeating: 0, count: places.count)
    for pair in learned.indices where learned[pair] > 0 { taskCounts[Int(pairPlaces[pair])] += 1 }
    contested.removeAll(keepingCapacity: true)
    for place in taskCounts.indices where taskCounts[place] > 1 && place != pool { contested.append(place) }
  }

  private var pool: Int { places.find(0) ?? -1 }

  /// Computes the expected steps of each task, with all tasks that it makes, at `place`, or at all places if it is nil.
  func expected(on place: Int?, into steps: inout ContiguousArray<Int>) {
    steps.removeAll(keepingCapacity: true)
    for _ in 0..<tasks.count { steps.append(0) }
    for pair in learned.indices where place == nil || Int(pairPlaces[pair]) == place {
      steps[Int(pairTasks[pair])] += Int(learned[pair])
    }
    tasks.gather(&steps)
  }
}
