internal import Foundation
internal import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  extension FakeURLProtocol {
    /// The delegate that is notified of the parts of an answer as they arrive, as in Foundation on Linux.
    struct Listener {
      let session: URLSession
      let delegate: any URLSessionTaskDelegate
      /// True if another receiver also gets the whole answer in the end.
      let sharesAnswer: Bool
      private let total: Int64
      private var count: Int64 = 0

      /// Makes the listener; nil if no delegate takes parts.
      init?(of task: URLSessionTask?, expecting bytes: Int) {
        guard let task, let session = task.ownSession, let told = task.told else { return nil }
        let isConcerned =
          task is URLSessionDownloadTask
          ? told.delegate is any URLSessionDownloadDelegate : told.delegate is any URLSessionDataDelegate
        guard isConcerned else { return nil }
        (self.session, delegate, sharesAnswer) = (session, told.delegate, told.sharesAnswer)
        total = Int64(bytes)
      }

      /// Notifies the delegate of a piece. It counts the bytes itself, because Foundation on Linux counts only those of
      /// a download in the task.
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

  /// The time at which a part of an answer last arrived.
  final class LastArrival: Sendable {
    private let time = Guarded<ContinuousClock.Instant?>(nil)

    func note() {
      let now = ContinuousClock.now
      time.withLock { $0 = now }
    }

    /// Returns the remaining time for the next part, if `limit` counts from the last one; nil if it is over or no part
    /// has arrived.
    func rest(of limit: Duration) -> Duration? {
      guard let last = time.withLock({ $0 }) else { return nil }
      let rest = limit - last.duration(to: .now)
      return rest > .zero ? rest : nil
    }
  }
#endif
