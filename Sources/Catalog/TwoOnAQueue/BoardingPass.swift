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

/// The two requests under way; the seat's can be cancelled alone.
struct PassRequests: Sendable {
  let cancelSeat: @Sendable () -> Void
}

/// The screen with the boarding pass, and the task that waits for it.
@MainActor @Observable final class PassModel {
  enum Screen: Hashable, Sendable {
    case waiting, pass(BoardingPass), failed
  }

  private(set) var screen = Screen.waiting
  @ObservationIgnored private var requests: PassRequests?
  @ObservationIgnored private let loader: any PassLoader

  init(loader: any PassLoader) {
    self.loader = loader
  }

  /// Returns when the pass is on the screen; throws when the failure is.
  func open() async throws {
    let answer = Answer()
    // Unsafe, so that a second call is told: a checked continuation would end the process.
    unsafe await withUnsafeContinuation { goOn in
      requests = loader.load { result in
        DispatchQueue.main.async {
          self.show(result)
          answer.result = result
          unsafe goOn.resume()
        }
      }
    }
    _ = try answer.result?.get()
  }

  /// Beside the continuation, because what is resumed twice must not carry anything.
  @MainActor private final class Answer {
    var result: Result<BoardingPass, any Error>?
  }

  func skipSeat() {
    requests?.cancelSeat()
  }

  private func show(_ result: Result<BoardingPass, any Error>) {
    screen = (try? result.get()).map(Screen.pass) ?? .failed
  }
}

// MARK: - Requests

typealias Reply = Result<String, any Error>

extension URLSession {
  /// A task that asks for a text and has begun.
  @discardableResult
  func ask(_ path: String, _ callback: @escaping @Sendable (Reply) -> Void) -> URLSessionDataTask {
    let task = textTask(path, callback)
    task.resume()
    return task
  }

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
