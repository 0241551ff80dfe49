import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Locks each access to each part, but not a part and the look for the other together: both callbacks may write first and
/// then both find both.
struct NaiveLockLoader: PassLoader {
  private final class Locked<Value: Sendable>: @unchecked Sendable {
    // @unchecked Sendable because the value is reached under the lock only.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
      stored = value
    }

    var value: Value {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }

  private let session = URLSession(
    configuration: .ephemeral, delegate: nil, delegateQueue: OperationQueue())

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let parts = (booking: Locked<Reply?>(nil), seat: Locked<Reply?>(nil))
    @Sendable func goOn() {
      guard let booking = parts.booking.value, let seat = parts.seat.value else { return }
      completion(Result { BoardingPass(booking: try booking.get(), seat: try seat.get()) })
    }
    let booking = session.textTask("/booking") {
      parts.booking.value = $0
      goOn()
    }
    let seat = session.textTask("/seat") {
      parts.seat.value = $0
      goOn()
    }
    booking.resume()
    seat.resume()
    return PassRequests(cancelBooking: { booking.cancel() }, cancelSeat: { seat.cancel() })
  }
}
