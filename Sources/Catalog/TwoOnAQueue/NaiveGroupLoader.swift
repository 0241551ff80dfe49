import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Leaves the group where a part has come. A request that fails, or is cancelled, never leaves it.
struct NaiveGroupLoader: PassLoader {
  private final class Parts: @unchecked Sendable {
    // @unchecked Sendable because each part has one writer, and the group is empty before they are read.
    var booking: String?
    var seat: String?
  }

  private let session = URLSession(configuration: .ephemeral)

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let parts = Parts()
    let group = DispatchGroup()
    group.enter()
    let booking = session.textTask("/booking") { reply in
      guard let text = try? reply.get() else { return }
      parts.booking = text
      group.leave()
    }
    group.enter()
    let seat = session.textTask("/seat") { reply in
      guard let text = try? reply.get() else { return }
      parts.seat = text
      group.leave()
    }
    group.notify(queue: .global()) {
      guard let booking = parts.booking, let seat = parts.seat else { return }
      completion(.success(BoardingPass(booking: booking, seat: seat)))
    }
    booking.resume()
    seat.resume()
    return PassRequests(cancelBooking: { booking.cancel() }, cancelSeat: { seat.cancel() })
  }
}
