/// How far a download has come, in parts of the file.
enum DownloadState: Hashable, Sendable {
  case idle, running(Int), paused(Int), completed, cancelled, failed
}

/// The download of one file. What is not allowed in the present state throws.
protocol FileDownload: Actor {
  var state: DownloadState { get }
  func start() throws
  func pause() throws
  func resume() throws
  func cancel() throws
}

struct NotAllowed: Error, Hashable {
  let state: DownloadState
}

// MARK: - Seams

/// What a server tells while it sends a file.
enum DownloadEvent: Hashable, Sendable {
  case received(parts: Int), finished, failed
}

protocol DownloadServer: Sendable {
  /// Sends the file from `offset` on. Calls back from wherever it likes: for each part, and once at the end.
  func send(from offset: Int, calling back: @escaping @Sendable (DownloadEvent) -> Void) -> any Transfer
}

protocol Transfer: Sendable {
  func cancel()
}
