internal import Foundation
internal import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  extension FakeURLProtocol {
    /// Who is told of the parts of an answer as they come, as Foundation on Linux does it.
    struct Listener {
      let session: URLSession
      let delegate: any URLSessionTaskDelegate
      /// The whole is given to somebody else too, in the end.
      let sharesAnswer: Bool
      private let total: Int64
      private var count: Int64 = 0

      /// Nil where only the whole is asked for.
      init?(of task: URLSessionTask?, expecting bytes: Int) {
        guard let task, let session = task.ownSession, let told = task.told else { return nil }
        let isConcerned =
          task is URLSessionDownloadTask
          ? told.delegate is any URLSessionDownloadDelegate : told.delegate is any URLSessionDataDelegate
        guard isConcerned else { return nil }
        (self.session, delegate, sharesAnswer) = (session, told.delegate, told.sharesAnswer)
        total = Int64(bytes)
      }

      /// The task does not count its bytes: Foundation on Linux counts those of a download only.
      mutating func hear(_ piece: Data, of task: URLSessionTask) {
        count += Int64(piece.count)
        let (session, delegate, count, total) = (session, delegate, count, total)
        session.delegateQueue.addOperation {
          if let task = task as? URLSessionDataTask {
            (delegate as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didReceive: piece)
          } else if let task = task as? URLSessionDownloadTask {
            (delegate as? any URLSessionDownloadDelegate)?.urlSession(
              session, downloadTask: task, didWriteData: Int64(piece.count), totalBytesWritten: count,
              totalBytesExpectedToWrite: total)
          }
        }
      }
    }
  }

  /// When something last came of an answer.
  final class LastArrival: Sendable {
    private let time = Guarded<ContinuousClock.Instant?>(nil)

    func note() {
      let now = ContinuousClock.now
      time.withLock { $0 = now }
    }

    /// How long one still waits for the next, who waits for `limit`; nil where it is over.
    func rest(of limit: Duration) -> Duration? {
      guard let last = time.withLock({ $0 }) else { return nil }
      let rest = limit - last.duration(to: .now)
      return rest > .zero ? rest : nil
    }
  }
#endif
