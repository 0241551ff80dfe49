import Simulator
import SimulatorHTTP

private func example(_ ada: [String: String]) {
  // example
  _ = (slow, cutOff)
}
