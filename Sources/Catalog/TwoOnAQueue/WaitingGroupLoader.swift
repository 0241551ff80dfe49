import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Waits for a group, where others ask to be notified: on a queue of Dispatch, whose thread it keeps until both requests have ended.
struct WaitingGroupLoader: PassLoader {
  private final class Parts: @unchecked Sendable {
    // @unchecked Sendable because each part has one writer, and the group is empty before they are read.
    var booking: Reply?
    var seat: Reply?
  }

  private let session = URLSession(configuration: .ephemeral)

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let parts = Parts()
    let requests = Pair()
    let group = DispatchGroup()
    group.enter()
    let booking = session.textTask("/booking") { reply in
      defer { group.leave() }
      parts.booking = reply
      requests.ended(reply)
    }
    group.enter()
    let seat = session.textTask("/seat") { reply in
      defer { group.leave() }
      parts.seat = reply
      requests.ended(reply)
    }
    DispatchQueue.global().async {
      group.wait()
      completion(
        Result {
          guard let booking = parts.booking, let seat = parts.seat else { throw URLError(.unknown) }
          return BoardingPass(booking: try booking.get(), seat: try seat.get())
        })
    }
    requests.begin(booking, seat)
    return requests.handles
  }
}
