import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes an operation queue as it comes, which runs callbacks side by side, and keeps what has come behind a queue of
/// readers and writers. Each access is safe; both callbacks may read before either has written.
struct NaiveQueueLoader: PassLoader {
  private struct Parts {
    var booking: Reply?
    var seat: Reply?
  }

  private final class Shelf: @unchecked Sendable {
    // @unchecked Sendable because the queue keeps writers apart from all others.
    private let queue = DispatchQueue(label: "shelf", attributes: .concurrent)
    private var stored = Parts()

    var parts: Parts {
      get { queue.sync { stored } }
      set { queue.sync(flags: .barrier) { stored = newValue } }
    }
  }

  private let session = URLSession(
    configuration: .ephemeral, delegate: nil, delegateQueue: OperationQueue())

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let shelf = Shelf()
    @Sendable func add(_ change: (inout Parts) -> Void) {
      var parts = shelf.parts
      change(&parts)
      shelf.parts = parts
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
