import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes an operation queue as it comes, which runs callbacks side by side, and keeps the two optionals in a box with a
/// lock. Each access is safe; both callbacks may copy them out before either has put them back.
struct NaiveQueueLoader: PassLoader {
  private struct Parts {
    var booking: Reply?
    var seat: Reply?
  }

  private final class Box: @unchecked Sendable {
    // @unchecked Sendable because the parts are reached under the lock only.
    private let lock = NSLock()
    private var stored = Parts()

    var parts: Parts {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }

  private let session = URLSession(
    configuration: .ephemeral, delegate: nil, delegateQueue: OperationQueue())

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let box = Box()
    @Sendable func add(_ change: (inout Parts) -> Void) {
      var parts = box.parts
      change(&parts)
      box.parts = parts
      guard let booking = parts.booking, let seat = parts.seat else { return }
      completion(Result { BoardingPass(booking: try booking.get(), seat: try seat.get()) })
    }
    let booking = session.textTask("/booking") { reply in add { $0.booking = reply } }
    let seat = session.textTask("/seat") { reply in add { $0.seat = reply } }
    booking.resume()
    seat.resume()
    return PassRequests(cancelBooking: { booking.cancel() }, cancelSeat: { seat.cancel() })
  }
}
