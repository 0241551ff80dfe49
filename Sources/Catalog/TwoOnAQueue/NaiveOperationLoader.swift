import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An operation for each request, and one that depends on both. An operation that was cancelled before it started never
/// says that it has finished, and what depends on it waits for ever.
struct NaiveOperationLoader: PassLoader {
  private final class Request: Operation, @unchecked Sendable {
    // @unchecked Sendable because the lock guards what changes.
    private let lock = NSLock()
    private var stored: Reply?
    private var hasBegun = false
    private let session: URLSession
    private let path: String
    private var task: URLSessionDataTask?

    init(_ session: URLSession, _ path: String) {
      (self.session, self.path) = (session, path)
    }

    var reply: Reply? { lock.withLock { stored } }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { hasBegun && stored == nil } }
    override var isFinished: Bool { lock.withLock { stored != nil } }

    override func start() {
      guard !isCancelled else { return }
      let task = session.textTask(path) { self.finish($0) }
      willChangeValue(for: \.isExecuting)
      lock.withLock { (hasBegun, self.task) = (true, task) }
      didChangeValue(for: \.isExecuting)
      task.resume()
      if isCancelled { task.cancel() }
    }

    override func cancel() {
      super.cancel()
      lock.withLock { task }?.cancel()
    }

    private func finish(_ reply: Reply) {
      willChangeValue(for: \.isFinished)
      lock.withLock { stored = reply }
      didChangeValue(for: \.isFinished)
    }
  }

  private let session = URLSession(configuration: .ephemeral)
  private let queue = OperationQueue()

  func load(_ completion: @escaping PassCallback) -> PassRequests {
    let (booking, seat) = (Request(session, "/booking"), Request(session, "/seat"))
    let both = BlockOperation {
      guard let booking = booking.reply, let seat = seat.reply else { return }
      completion(Result { BoardingPass(booking: try booking.get(), seat: try seat.get()) })
    }
    both.addDependency(booking)
    both.addDependency(seat)
    queue.addOperations([booking, seat, both], waitUntilFinished: false)
    return PassRequests(cancelBooking: { booking.cancel() }, cancelSeat: { seat.cancel() })
  }
}
