import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Enters a group for each request and leaves it in every callback, whatever has come. The group goes on when it is
/// empty.
struct HardenedGroupLoader: PassLoader {
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
      // undone: defer { if case .success = reply { group.leave() } }
      defer { group.leave() }  // guard: leaves-on-every-path
      parts.booking = reply
      requests.ended(reply)
    }
    group.enter()
    let seat = session.textTask("/seat") { reply in
      // undone: defer { if case .success = reply { group.leave() } }
      defer { group.leave() }  // guard: leaves-on-every-path
      parts.seat = reply
      requests.ended(reply)
    }
    group.notify(queue: .global()) {
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

// Not guards: what the group and its parts are made of, without which nothing is loaded.
