import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks for the seat where the booking has come, and answers where it has not. A cancel of the seat is remembered for the
/// request that has not begun.
struct HardenedNestedLoader: PassLoader {
  private final class Current: @unchecked Sendable {
    // @unchecked Sendable because both are reached under the lock only.
    private let lock = NSLock()
    private var task: URLSessionDataTask?
    private var isCancelled = false

    func begin(_ task: URLSessionDataTask) {
      let isCancelled = lock.withLock {
        self.task = task
        return self.isCancelled
      }
      task.resume()
      if isCancelled { task.cancel() }  // guard: cancel-is-remembered
    }

    func cancel() {
      lock.withLock {
        isCancelled = true
        return task
      }?.cancel()
    }
  }

  private let session = URLSession(configuration: .ephemeral)

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let seatRequest = Current()
    let booking = session.textTask("/booking") { [session] reply in
      let booking: String
      switch reply {
      case .success(let text): booking = text
      case .failure(let error):
        completion(.failure(error))  // guard: answers-on-every-path
        return
      }
      seatRequest.begin(
        session.textTask("/seat") { reply in
          completion(reply.map { BoardingPass(booking: booking, seat: $0) })
        })
    }
    booking.resume()
    return PassRequests(cancelBooking: { booking.cancel() }, cancelSeat: { seatRequest.cancel() })
  }
}

// Not guards: what a guard reads, and the switch in which one stands.
