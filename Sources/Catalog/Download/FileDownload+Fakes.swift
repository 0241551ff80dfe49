import Simulator

extension FakeNetwork: DownloadServer {
  /// A file of four parts, of which each request brings two at most.
  nonisolated func send(
    from offset: Int, calling back: @escaping @Sendable (DownloadEvent) -> Void
  ) -> any Transfer {
    Task {
      do {
        for first in stride(from: offset + 1, through: 4, by: 2) {
          let parts = Array(first...min(first + 1, 4))
          for part in try await download(parts) { back(.received(parts: part)) }
        }
        back(.finished)
      } catch let error where error.isCancellation {
        return
      } catch {
        back(.failed)
      }
    }
  }

  private nonisolated func download(_ parts: [Int]) async throws -> [Int] {
    try await exchange("GET /file", parts.shown, showing: \.shown) { _ in parts }
  }
}

extension [Int] {
  fileprivate var shown: Trace.Value { .list(map { .int($0) }) }
}

extension Task: Transfer where Success == Void, Failure == Never {}

extension DownloadState {
  var shown: Trace.Value {
    switch self {
    case .idle: Self.shown("idle")
    case .running(let parts): Self.shown("running", .init("parts", .int(parts)))
    case .paused(let parts): Self.shown("paused", .init("parts", .int(parts)))
    case .completed: Self.shown("completed")
    case .cancelled: Self.shown("cancelled")
    case .failed: Self.shown("failed")
    }
  }

  private static func shown(_ phase: String, _ more: Trace.Value.Field...) -> Trace.Value {
    .record([.init("phase", .text(phase))] + more)
  }
}
