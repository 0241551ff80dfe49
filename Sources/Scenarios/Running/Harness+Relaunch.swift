import Simulator

extension Harness {
  static let processName = "the process"

  /// The process dies, and the app is launched again, in the same world.
  func relaunch() {
    process.kill()
    simulation.judgesAnew()
    // What it held is freed with the execution: until then nothing of its code runs, not even a `deinit`.
    simulation.keepAlive(system)
    underWay.removeAll()
    begun.removeAll()
    launches += 1
    process = simulation.process(Self.processName)
    do {
      system = try simulation.within(process, make)
    } catch {
      // It was made of the same before.
      fatalError("a system that was made cannot be made again: \(error)")
    }
    simulation.record(.relaunched)
    if isJudged { observe() }
  }
}
