internal import CConcurrencyHooks
internal import SimulatorCore

// Loads of atomics that answer older stores, where `Simulation.Options.memory` is weak. `WeakMemory.c` knows which stores a load may
// answer; which one it does is a choice, and the newest is natural.

extension Scheduler {
  /// Decides which of so many stores a load answers; 0 is the newest.
  func loads(among stores: Int) -> Int { chooser.choose(.load, options: stores) }

  /// Notes that the load of the last choice has answered an older store.
  func hasLoadedOlder() {
    guard recorder.keepsEvents else { return }
    let place = Symbols.places(of: placesOfStep).lazy.flatMap { $0 }.first.map { " at \($0)" } ?? ""
    let machines =
      switch unsafe ch_x86_shows(hooks) {
      case CH_X86_SHOWS: "; x86 machines do that, too"
      case CH_X86_NEVER: "; no x86 machine does that, but one with weaker memory, as ARM has, may"
      default: ""
      }
    recorder.decided(at: chooser.tape.count - 1, .init(taken: place, natural: machines))
  }
}

extension Scheduler {
  /// Notes that the running step cancels a task, or all of its own children. The runtime promises no order between a cancel and
  /// what the canceled tasks do then, and programs rely on one.
  func ordersByCancel(_ task: Int32) {
    let canceller = currentTask
    guard task >= 0, canceller >= 0 else { return }
    orders(canceller, task)
    var canceled: Set = [task]
    for child in task..<Int32(tasks.count) where canceled.contains(tasks[child].parent) {
      canceled.insert(child)
      orders(canceller, child)
    }
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_loads(_ scheduler: UnsafeMutableRawPointer, _ options: UInt32) -> UInt32 {
  unsafe Scheduler.with(scheduler) { UInt32($0.loads(among: Int(options))) }
}

@c @implementation
func simulator_loaded_older(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.hasLoadedOlder() }
}
