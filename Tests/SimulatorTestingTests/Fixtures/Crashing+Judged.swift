import Simulator
import SimulatorTesting
import Testing

extension Crashing {
  @Test(.simulated) func judgedTypeTraps() async {
    await Serializable {
      Seats()
    } observing: {
      await $0.free
    }
    .offering("take") { await $0.take() }
    .check()
  }
}
