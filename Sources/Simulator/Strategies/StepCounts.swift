/// How many steps each task takes on each place, and with all the tasks that it makes: what URW and SURW learn from
/// the natural order, and go on learning.
struct StepCounts {
  /// The tasks met so far, a task before those it makes.
  private var tasks = PathTable()
  private var parents: ContiguousArray<Int32> = []
  /// The places met so far.
  private var places = PathTable()
  /// The pairs of both.
  private var pairs = PathTable()
  private var pairTasks: ContiguousArray<Int32> = []
  private var pairPlaces: ContiguousArray<Int32> = []
  /// Steps of each pair: in this execution, at most in any, and at most in any before this round.
  private var now: ContiguousArray<Int32> = []
  private var most: ContiguousArray<Int32> = []
  private var learned: ContiguousArray<Int32> = []
  /// The places where tasks can meet: at least two have steps there.
  private(set) var contested: ContiguousArray<Int> = []

  var taskCount: Int { tasks.count }

  mutating func began() { for pair in now.indices { now[pair] = 0 } }

  /// The number of the candidate's task, which is met here for the first time or not.
  mutating func task(of candidate: Candidate) -> Int {
    let path = candidate.task == 0 ? UInt64(candidate.id) : candidate.task
    if let known = tasks.find(path) { return known }
    parents.append(tasks.find(candidate.parent).map(Int32.init) ?? -1)
    return tasks.add(path)
  }

  /// The number of the task that made `task`, or -1.
  func parent(of task: Int) -> Int { Int(parents[task]) }

  /// The number of the candidate's place.
  mutating func place(of candidate: Candidate) -> Int {
    places.find(candidate.place) ?? places.add(candidate.place)
  }

  mutating func count(task: Int, place: Int) {
    let key = Digest.mix(Digest.seed, UInt64(task) << 32 | UInt64(place))
    if let pair = pairs.find(key) {
      now[pair] += 1
      return
    }
    _ = pairs.add(key)
    pairTasks.append(Int32(task))
    pairPlaces.append(Int32(place))
    now.append(1)
    most.append(0)
    learned.append(0)
  }

  mutating func ended() { for pair in now.indices { most[pair] = max(most[pair], now[pair]) } }

  mutating func roundEnded() {
    learned = most
    var visitors = ContiguousArray<Int32>(repeating: 0, count: places.count)
    for pair in learned.indices where learned[pair] > 0 { visitors[Int(pairPlaces[pair])] += 1 }
    contested.removeAll(keepingCapacity: true)
    for place in visitors.indices where visitors[place] > 1 && place != pool { contested.append(place) }
  }

  private var pool: Int { places.find(0) ?? -1 }

  /// The steps that each task is expected to take on `place`, nil for all places, with all that it makes.
  func expected(on place: Int?, into steps: inout ContiguousArray<Int>) {
    steps.removeAll(keepingCapacity: true)
    for _ in 0..<tasks.count { steps.append(0) }
    for pair in learned.indices where place == nil || Int(pairPlaces[pair]) == place {
      steps[Int(pairTasks[pair])] += Int(learned[pair])
    }
    for task in steps.indices.reversed() where parents[task] >= 0 { steps[Int(parents[task])] += steps[task] }
  }
}
