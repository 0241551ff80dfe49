import Foundation
import Observation

/// Sends a tap when the server has answered the one before. After the last one the heart shows what the
/// server has confirmed: what was wanted, or after a failure what was there before. A tap whose answer was lost
/// is sent again until there is one.
@MainActor @Observable final class HardenedLike: LikeModel {
  private(set) var isLiked = false
  @ObservationIgnored private var confirmed = false
  @ObservationIgnored private var latest: UUID?
  @ObservationIgnored private var sending: Task<Void, Never>?
  @ObservationIgnored private let service: any LikeService

  init(service: any LikeService) {
    self.service = service
  }

  func toggle() {
    isLiked.toggle()
    let id = UUID()
    latest = id
    let older = sending  // guard: one-at-a-time
    sending = Task { [wanted = isLiked] in
      await older?.value  // guard: one-at-a-time
      if let answer = await answer(to: wanted) { confirmed = answer }
      // Not a guard: without it, only the heart would flicker.
      if id == latest {
        isLiked = confirmed  // guard: show-what-is-confirmed
      }
    }
  }

  /// Nil when the server has not got the tap.
  private func answer(to wanted: Bool) async -> Bool? {
    var mayHaveIt = false
    while true {
      do {
        return try await Self.setLiked(wanted, on: service)
      } catch {
        if error is AnswerLost { mayHaveIt = true }  // guard: ask-again => _ = error
        guard mayHaveIt else { return nil }
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func setLiked(_ isLiked: Bool, on service: any LikeService) async throws -> Bool
  {
    try await service.setLiked(isLiked)
  }
}

// Not guards: what was confirmed, the id, the task and what the server may have, which the guards read; the pause.
