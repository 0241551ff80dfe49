import Foundation

/// Listens to the present transfer only, and to a late report not at all.
actor HardenedDownload: FileDownload {
  private(set) var state = DownloadState.idle
  private var transfer: (any Transfer)?
  /// The transfer that is listened to; nil when the download is not running.
  private var current: UUID?
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
    stop(.paused(parts))
  }

  func resume() throws {
    guard case .paused(let parts) = state else { throw NotAllowed(state: state) }
    run(from: parts)
  }

  func cancel() throws {
    switch state {
    case .running, .paused: stop(.cancelled)
    default: throw NotAllowed(state: state)
    }
  }

  private func run(from offset: Int) {
    let id = UUID()
    current = id
    state = .running(offset)
    transfer = server.send(from: offset) { event in
      Task { await self.handle(event, of: id) }
    }
  }

  private func handle(_ event: DownloadEvent, of id: UUID) {
    guard id == current else { return }  // guard: only-the-current-transfer
    switch event {
    case .received(let parts):
      if case .running(let known) = state, parts < known { return }  // guard: never-back
      state = .running(parts)
    case .finished: stop(.completed)
    case .failed: stop(.failed)
    }
  }

  private func stop(_ state: DownloadState) {
    transfer?.cancel()
    current = nil
    self.state = state
  }
}

// Not guards: the steps of the download itself, by the id that its guard compares: without them it does
// not begin, go on or end.
