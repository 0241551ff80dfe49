import Simulator
import Synchronization

/// A server behind a network: it notes what arrives, in the order in which it arrives.
final class FakeLikeServer: LikeService, SimulatedFake {
  // A lock, since the network's server side is one synchronous step, and the traces read it between steps.
  private let noted = Mutex(false)
  private let network: FakeNetwork

  init(network: FakeNetwork) {
    self.network = network
  }

  var isLiked: Bool { noted.withLock { $0 } }

  func setLiked(_ isLiked: Bool) async throws -> Bool {
    do {
      return try await network.exchange("PUT /like", .bool(isLiked), showing: { .bool($0) }) { [self] _ in
        noted.withLock { $0 = isLiked }
        return isLiked
      }
    } catch FakeNetwork.Failure.connectionLost {
      throw AnswerLost()
    }
  }
}
