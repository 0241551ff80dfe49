import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks for the seat where the booking has come. No booking, no callback; and a cancel of the seat that comes earlier finds
/// nothing to cancel.
struct NaiveNestedLoader: PassLoader {
  private final class Current: @unchecked Sendable {
    // @unchecked Sendable because the task is reached under the lock only.
    private let lock = NSLock()
    private var task: URLSessionDataTask?

    func begin(_ task: URLSessionDataTask) {
      lock.withLock { self.task = task }
      task.resume()
    }

    func cancel() { lock.withLock { task }?.cancel() }
  }

  private let session = URLSession(configuration: .ephemeral)

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let seatRequest = Current()
    let booking = session.textTask("/booking") { [session] reply in
      guard let booking = try? reply.get() else { return }
      seatRequest.begin(
        session.textTask("/seat") { reply in
          completion(reply.map { BoardingPass(booking: booking, seat: $0) })
        })
    }
    booking.resume()
    return PassRequests(cancelBooking: { booking.cancel() }, cancelSeat: { seatRequest.cancel() })
  }
}
