/// Believes every callback, whatever has become of the download meanwhile.
actor NaiveDownload: FileDownload {
  private(set) var state = DownloadState.idle
  private var transfer: (any Transfer)?
  private let server: any DownloadServer

  init(from server: any DownloadServer) {
    self.server = server
  }

  func start() throws {
    guard state == .idle else { throw NotAllowed(state: state) }
    run(from: 0)
  }

  func pause() throws {
    guard case .running(let parts) = state else { throw NotAllowed(state: state) }
    transfer?.cancel()
    state = .paused(parts)
  }

  func resume() throws {
    guard case .paused(let parts) = state else { throw NotAllowed(state: state) }
    run(from: parts)
  }

  func cancel() throws {
    switch state {
    case .running, .paused:
      transfer?.cancel()
      state = .cancelled
    default: throw NotAllowed(state: state)
    }
  }

  private func run(from offset: Int) {
    state = .running(offset)
    transfer = server.send(from: offset) { event in
      Task { await self.handle(event) }
    }
  }

  private func handle(_ event: DownloadEvent) {
    switch event {
    case .received(let parts): state = .running(parts)
    case .finished: state = .completed
    case .failed: state = .failed
    }
  }
}
