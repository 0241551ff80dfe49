import Foundation
import Scenarios
import Simulator

extension World {
  /// The network called `name` in the descriptor, as an app reaches it through its `URLSession`: a cancelled request
  /// throws what that throws.
  func sessionNetwork(_ name: String = "network") -> FakeNetwork {
    network(name, cancellation: URLError(.cancelled))
  }
}
