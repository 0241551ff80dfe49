import Foundation
import Observation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the traveller shows at the gate. Its two parts come from two requests.
struct BoardingPass: Hashable, Sendable {
  let booking: String
  let seat: String
}

typealias PassCallback = @Sendable (Result<BoardingPass, any Error>) -> Void

/// Loads booking and seat.
protocol PassLoader: Sendable {
  /// Calls `completion` exactly once, on a queue of the loader's choice.
  func load(_ completion: @escaping PassCallback) -> PassRequests
}

/// The two requests under way; each can be cancelled alone.
struct PassRequests: Sendable {
  let cancelBooking: @Sendable () -> Void
  let cancelSeat: @Sendable () -> Void
}

/// The screen with the boarding pass, and the task that waits for it.
@MainActor @Observable final class PassModel {
  enum Screen: Hashable, Sendable {
    case waiting, pass(BoardingPass), failed
  }

  private(set) var screen = Screen.waiting
  /// By their opens, those that are under way.
  @ObservationIgnored private var requests: [Int: PassRequests] = [:]
  @ObservationIgnored private var opens = Loads(Screen.waiting)
  @ObservationIgnored private let loader: any PassLoader

  init(loader: any PassLoader) {
    self.loader = loader
  }

  /// Returns when the pass is on the screen; throws when the failure is.
  func open() async throws {
    let (open, answer) = (opens.begin(), Answer())
    screen = .waiting
    await withTaskCancellationHandler {
      // Unsafe, so that a second call is told: a checked continuation would end the process.
      unsafe await withUnsafeContinuation { goOn in
        requests[open] = loader.load { result in
          DispatchQueue.main.async {
            self.ended(open, result)
            answer.result = result
            unsafe goOn.resume()
          }
        }
      }
    } onCancel: {
      Task { @MainActor in
        requests[open]?.cancelBooking()
        requests[open]?.cancelSeat()
      }
    }
    _ = try answer.result?.get()
  }

  /// Beside the continuation, because what is resumed twice must not carry anything.
  @MainActor private final class Answer {
    var result: Result<BoardingPass, any Error>?
  }

  func skipSeat() {
    for request in requests.values { request.cancelSeat() }
  }

  func skipBooking() {
    for request in requests.values { request.cancelBooking() }
  }

  private func ended(_ open: Int, _ result: Result<BoardingPass, any Error>) {
    requests[open] = nil
    switch result {
    case .success(let pass): opens.end(open, with: .pass(pass))
    case .failure(let error): opens.end(open, with: error.isCancellation ? nil : .failed)
    }
    screen = opens.isLoading ? .waiting : opens.settled
  }
}

// MARK: - Requests

typealias Reply = Result<String, any Error>

extension URLSession {
  /// A task that asks for a text and has not begun.
  func textTask(_ path: String, _ callback: @escaping @Sendable (Reply) -> Void) -> URLSessionDataTask {
    var address = URLComponents()
    (address.scheme, address.host, address.path) = ("https", "example.org", path)
    guard let url = address.url else { preconditionFailure("\(path) is no path") }
    return dataTask(with: url) { data, _, error in
      callback(
        data.map { .success(String(decoding: $0, as: UTF8.self)) } ?? .failure(error ?? URLError(.unknown)))
    }
  }
}

/// Two requests of which the first that fails gives the other up.
final class Pair: @unchecked Sendable {
  // @unchecked Sendable because the tasks are reached under the lock only.
  private let lock = NSLock()
  private var tasks: [URLSessionDataTask] = []

  func begin(_ tasks: URLSessionDataTask...) {
    lock.withLock { self.tasks = tasks }
    for task in tasks { task.resume() }
  }

  /// A request has ended so. It was asked for after both had been kept.
  func ended(_ reply: Reply) {
    guard case .failure = reply else { return }
    for task in lock.withLock({ tasks }) { task.cancel() }
  }

  var handles: PassRequests {
    PassRequests(
      cancelBooking: { self.lock.withLock { self.tasks }.first?.cancel() },
      cancelSeat: { self.lock.withLock { self.tasks }.last?.cancel() })
  }
}
