import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's delegate that notes what it is told.
final class Observer: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  private struct State {
    var sent: [Int64] = []
    var pieces = 0
    var told: [String] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let cancelsAfter: Int?
  private let password: String?

  /// One that cancels the task when it has been told of so many pieces, and answers a challenge with this password of Ada's, or
  /// refuses it.
  init(cancelsAfter: Int? = nil, password: String? = nil) {
    self.cancelsAfter = cancelsAfter
    self.password = password
  }

  var sent: String { state.withLock { "\($0.sent.last ?? 0) bytes sent" } }
  var told: String { state.withLock { $0.told.joined(separator: ", ") } }

  func untilOver() async throws {
    while !state.withLock(\.isOver) { try await Task.sleep(for: .milliseconds(5)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    state.withLock { $0.sent.append(totalBytesSent) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    note("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note(String(decoding: data, as: UTF8.self))
    let count = state.withLock { state in
      state.pieces += 1
      return state.pieces
    }
    if count == cancelsAfter { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    note("\(totalBytesWritten) of \(totalBytesExpectedToWrite)")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    note("file \(String(decoding: (try? Data(contentsOf: location)) ?? Data(), as: UTF8.self))")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    note("challenge \(challenge.previousFailureCount) of \(challenge.protectionSpace.realm ?? "nothing")")
    guard let password else { return completionHandler(.cancelAuthenticationChallenge, nil) }
    completionHandler(.useCredential, URLCredential(user: "ada", password: password, persistence: .none))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note(error.map(words) ?? "over")
    state.withLock { $0.isOver = true }
  }

  private func note(_ what: String) { state.withLock { $0.told.append(what) } }
}

extension Client {
  /// What the delegate of a session of its own is told about a request, when that is over.
  func observed(
    _ request: URLRequest, from body: String? = nil, downloads: Bool = false,
    by observer: Observer = Observer()
  ) async throws -> Observer {
    let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
    let task: URLSessionTask =
      if let body {
        session.uploadTask(with: request, from: Data(body.utf8))
      } else if downloads {
        session.downloadTask(with: request)
      } else {
        session.dataTask(with: request)
      }
    task.resume()
    try await observer.untilOver()
    session.finishTasksAndInvalidate()
    return observer
  }

  /// The task of such a request, when it is over.
  func observedTask(_ request: URLRequest) async throws -> URLSessionTask {
    let observer = Observer()
    let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
    let task = session.dataTask(with: request)
    task.resume()
    try await observer.untilOver()
    session.finishTasksAndInvalidate()
    return task
  }
}
