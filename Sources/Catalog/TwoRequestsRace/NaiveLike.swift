import Observation

/// Sends a request with every tap and shows what the server answers.
@MainActor @Observable final class NaiveLike: LikeModel {
  private(set) var isLiked = false
  @ObservationIgnored private let service: any LikeService

  init(service: any LikeService) {
    self.service = service
  }

  func toggle() {
    isLiked.toggle()
    let wanted = isLiked
    Task {
      do {
        isLiked = try await service.setLiked(wanted)
      } catch {
        isLiked = !wanted
      }
    }
  }
}
