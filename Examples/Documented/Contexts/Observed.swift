import Scenarios
import Simulator

private func example(_ store: FakeStore) -> Observed {
  // example
}
