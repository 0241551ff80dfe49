internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface
@_spi(Reflection) internal import Swift

// Results of tasks that are freed late.
//
// A task that ends wakes those that wait for it, and its thread releases it only after that. Until then the result has one more
// owner than the program's own references: a `weak` reference still finds the object, and its `deinit` comes later. If an object
// of the program's may be in its result, a task is therefore released at the end of its last step, which is natural, or in a step
// of its own, which is then a candidate beside those that it woke.
//
// The thread is done with the domain of the last step only after the release, so the domain is closed until then: on the main
// actor, nothing comes in between. Nor does the rest of the step in which an immediate task has ended, since it is the same thread.

/// The tasks whose results may be freed late.
@safe final class Results: ExecutionTable {
  /// The tasks that have not ended.
  private var owners: Set<Int32> = []
  /// The tasks that have ended and are not freed yet; each is retained for that.
  private var kept: [UnsafeMutableRawPointer] = unsafe []
  /// The tasks that are freed in steps of their own, which begin when the running step ends.
  private var next: [UnsafeMutableRawPointer] = unsafe []
  /// Whether a result of a type may have an object of the program's in it. Types outlive the execution.
  private var types: [ObjectIdentifier: Bool] = [:]

  var isFresh: Bool { unsafe owners.isEmpty && kept.isEmpty && next.isEmpty }

  func removeAll() {
    if !owners.isEmpty { owners.removeAll(keepingCapacity: true) }
    unsafe next.removeAll()
    while let left = unsafe kept.popLast() { unsafe swift_release(left) }
  }

  func made(_ task: Int32, resultType: UnsafeRawPointer) {
    // Safe: the program passes its result's type when it makes a task.
    if mayOwn(unsafe unsafeBitCast(resultType, to: Any.Type.self)) { owners.insert(task) }
  }

  /// Notes the end of a task. Returns true if what it leaves may hold an object of the program's.
  fileprivate func ends(_ task: Int32, throwing error: UnsafeMutableRawPointer?) -> Bool {
    let mayOwnResult = !owners.isEmpty && owners.remove(task) != nil
    guard let error = unsafe error else { return mayOwnResult }
    // Safe: what a task throws is an error.
    return mayOwn(type(of: unsafe unsafeBitCast(error, to: (any Error).self)))
  }

  private func mayOwn(_ type: Any.Type) -> Bool {
    let key = ObjectIdentifier(type)
    if let known = types[key] { return known }
    let mayOwn = ObjectsInside.mayBe(in: type)
    types[key] = mayOwn
    return mayOwn
  }

  fileprivate func keep(_ task: UnsafeMutableRawPointer) {
    _ = unsafe swift_retain(task)
    unsafe kept.append(task)
    unsafe next.append(task)
  }

  fileprivate func takeNext() -> UnsafeMutableRawPointer? {
    unsafe next.isEmpty ? nil : next.removeFirst()
  }

  fileprivate func free(_ task: UnsafeMutableRawPointer) {
    guard let index = unsafe kept.firstIndex(of: task) else { return }
    unsafe kept.remove(at: index)
    unsafe swift_release(task)
  }
}

extension Scheduler {
  /// Decides if the result of a task that ends in the running step is freed in a step of its own.
  func resultIsReady(_ task: Int32, throwing error: UnsafeMutableRawPointer?) {
    guard unsafe tables.results.ends(task, throwing: error), mayBeReleasedLate(task),
      chooser.choose(.release, options: 2) == 1
    else { return }
    if recorder.keepsEvents {
      let name = recorder.path(of: task, self)
      recorder.decided(at: chooser.tape.count - 1, .init(taken: name, natural: name))
    }
    unsafe tables.results.keep(tasks[task].address)
    state.freesLate = true
  }

  /// True if the running step is the task's own and ends with it, on the pool, an actor or the main actor.
  private func mayBeReleasedLate(_ task: Int32) -> Bool {
    task == state.frame.task && !state.frame.isWithin && !domains[state.frame.domain].isQueue
  }

  /// Makes it possible that what the step has left is freed.
  func freeLate() {
    state.freesLate = false
    let outer = state.frame
    defer { state.frame = outer }
    while let task = unsafe tables.results.takeNext() {
      let release = unsafe ch_work(
        block: nil, function: { unsafe Scheduler.free($0) }, context: task, queue: nil, group: nil,
        is_barrier: false)
      // Its step is a child of the task, which makes no others anymore.
      state.frame.task = unsafe taskIndex(of: task)
      guard let step = unsafe makeTask(for: release) else { continue }
      tasks.onlyFrees(step)
      if recorder.keepsEvents {
        recorder.name(step, "the release of the result of \(recorder.path(of: state.frame.task, self))")
      }
      startAtOnce(step, closing: outer.domain)
    }
  }

  private static func free(_ task: UnsafeMutableRawPointer?) {
    guard let task = unsafe task, let simulation = unsafe ch_get_current() else { return }
    let results = unsafe Scheduler.with(simulation) { scheduler in
      // Whether this frees the object, or another step does later, depends on which of them comes first.
      if scheduler.chooser.followsDependencies { scheduler.chooser.accessed(.everything, .exclusive) }
      return scheduler.tables.results
    }
    // The object's `deinit` is the program's code, which may call the scheduler.
    unsafe results.free(task)
  }
}

/// What may be inside a value of a type.
enum ObjectsInside {
  /// Returns true if a value may contain an object of a class of the program's, as far as its type tells: of an enumeration
  /// or an existential it does not, so it may.
  static func mayBe(in type: Any.Type) -> Bool { mayBe(in: type, depth: 0) }

  private static func mayBe(in type: Any.Type, depth: Int) -> Bool {
    // Safe: any type is the address of its metadata.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    if unsafe ch_is_plain(metadata) || type == (any Error).self { return false }
    if type is any AnyObject.Type { return unsafe ch_is_class_of_program(metadata) }
    if depth == mostDepth { return true }
    if let type = type as? any Container.Type {
      return type.parts.contains { mayBe(in: $0, depth: depth + 1) }
    }
    guard unsafe ch_has_fields(metadata) else { return unsafe ch_hides_parts(metadata) }
    return unsafe !_forEachField(of: type) { _, _, field, _ in !mayBe(in: field, depth: depth + 1) }
  }

  private static let mostDepth = 8
}

/// A type of the standard library whose values contain others.
private protocol Container { static var parts: [Any.Type] { get } }
extension Optional: Container { static var parts: [Any.Type] { [Wrapped.self] } }
extension Array: Container { static var parts: [Any.Type] { [Element.self] } }
extension Set: Container { static var parts: [Any.Type] { [Element.self] } }
extension Dictionary: Container { static var parts: [Any.Type] { [Key.self, Value.self] } }
extension Result: Container { static var parts: [Any.Type] { [Success.self, Failure.self] } }

// MARK: - What the C target calls

@c @implementation
func simulator_result_type(_ scheduler: UnsafeMutableRawPointer, _ record: UInt64, _ type: UnsafeRawPointer) {
  unsafe Scheduler.with(scheduler) {
    unsafe $0.tables.results.made(Int32(bitPattern: ch_index_of(record)), resultType: type)
  }
}
