import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes in a part and looks for the other under one lock, so that only the second callback finds both.
struct HardenedLockLoader: PassLoader {
  private final class Parts: @unchecked Sendable {
    // @unchecked Sendable because both are reached under the lock only.
    private let lock = NSLock()
    private var booking: Reply?
    private var seat: Reply?

    /// The pass or the failure, for the caller that has brought the second.
    func add(booking: Reply? = nil, seat: Reply? = nil) -> Result<BoardingPass, any Error>? {
      lock.lock()
      defer { lock.unlock() }
      if let booking { self.booking = booking }
      if let seat { self.seat = seat }
      // undone: lock.unlock(); lock.lock(); guard let booking = self.booking, let seat = self.seat else { return nil }
      guard let booking = self.booking, let seat = self.seat else { return nil }  // guard: one-lock-for-both
      return Result { BoardingPass(booking: try booking.get(), seat: try seat.get()) }
    }
  }

  private let session = URLSession(
    configuration: .ephemeral, delegate: nil, delegateQueue: OperationQueue())

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let parts = Parts()
    let requests = Pair()
    requests.begin(
      session.textTask("/booking") {
        requests.ended($0)
        if let pass = parts.add(booking: $0) { completion(pass) }
      },
      session.textTask("/seat") {
        requests.ended($0)
        if let pass = parts.add(seat: $0) { completion(pass) }
      })
    return requests.handles
  }
}

// Not guards: the parts and the lock, in which the guard stands.
