import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// As apps have long had it: a session that calls back on a queue of one operation at a time, and two optionals.
/// The callback that finds both there goes on; one that has failed gives the other request up.
struct HardenedQueueLoader: PassLoader {
  private final class Parts: @unchecked Sendable {
    // @unchecked Sendable because only callbacks on the serial delegate queue reach it.
    var booking: Reply?
    var seat: Reply?

    func goOn(_ completion: PassCallback) {
      guard let booking, let seat else { return }
      completion(Result { BoardingPass(booking: try booking.get(), seat: try seat.get()) })
    }
  }

  private let session: URLSession

  init(session: URLSession = Self.makeSession()) {
    precondition(session.delegateQueue.maxConcurrentOperationCount == 1, "callbacks would run side by side")
    self.session = session
  }

  private static func makeSession() -> URLSession {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1  // guard: one-callback-at-a-time
    return URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
  }

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let parts = Parts()
    let requests = Pair()
    requests.begin(
      session.textTask("/booking") {
        parts.booking = $0
        requests.ended($0)
        parts.goOn(completion)
      },
      session.textTask("/seat") {
        parts.seat = $0
        requests.ended($0)
        parts.goOn(completion)
      })
    return requests.handles
  }
}

// Not guards: the precondition, which refuses a session without the guard; the optionals, which need no lock with it.
