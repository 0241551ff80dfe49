import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An operation for each request, and one that depends on both. Each finishes, also one that was cancelled before it started.
struct HardenedOperationLoader: PassLoader {
  private final class Request: Operation, @unchecked Sendable {
    // @unchecked Sendable because the lock guards what changes.
    private let lock = NSLock()
    private var stored: Reply?
    private var hasBegun = false
    private let session: URLSession
    private let path: String
    private var task: URLSessionDataTask?
    /// The one that is given up when this one fails; set before it begins.
    weak var other: Request?

    init(_ session: URLSession, _ path: String) {
      (self.session, self.path) = (session, path)
    }

    var reply: Reply? { lock.withLock { stored } }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { hasBegun && stored == nil } }
    override var isFinished: Bool { lock.withLock { stored != nil } }

    override func start() {
      if isCancelled {
        finish(.failure(CancellationError()))  // guard: finishes-when-cancelled
        return
      }
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
      if case .failure = reply { other?.cancel() }
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
    (booking.other, seat.other) = (seat, booking)
    both.addDependency(booking)
    both.addDependency(seat)
    queue.addOperations([booking, seat, both], waitUntilFinished: false)
    return PassRequests(cancelBooking: { booking.cancel() }, cancelSeat: { seat.cancel() })
  }
}

// Not guards: the question in which the guard stands.
