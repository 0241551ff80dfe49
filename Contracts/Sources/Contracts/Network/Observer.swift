import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's delegate that notes what it is told.
final class Observer: NSObject, URLSessionDataDelegate {
  private struct State {
    var sent: [Int64] = []
    var pieces: [String] = []
    var isOver = false
  }

  private let state = Mutex(State())

  var sent: String { state.withLock { "\($0.sent.last ?? 0) bytes sent" } }
  var pieces: String { state.withLock { $0.pieces.joined(separator: "+") } }

  func untilOver() async throws {
    while !state.withLock(\.isOver) { try await Task.sleep(for: .milliseconds(5)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    state.withLock { $0.sent.append(totalBytesSent) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    state.withLock { $0.isOver = true }
  }
}

extension Client {
  /// What the delegate of a session of its own is told about a request, when that is over.
  func observed(_ request: URLRequest, from body: String? = nil) async throws -> Observer {
    let observer = Observer()
    let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
    let task =
      body.map { session.uploadTask(with: request, from: Data($0.utf8)) } ?? session.dataTask(with: request)
    task.resume()
    try await observer.untilOver()
    session.finishTasksAndInvalidate()
    return observer
  }
}
