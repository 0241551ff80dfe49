import Observation

/// Sends a request with every tap and shows the answer to the last one. What the server notes last is another
/// matter.
@MainActor @Observable final class PublishedLike: LikeModel {
  private(set) var isLiked = false
  @ObservationIgnored private var version = 0
  @ObservationIgnored private let service: any LikeService

  init(service: any LikeService) {
    self.service = service
  }

  func toggle() {
    isLiked.toggle()
    version += 1
    Task { [wanted = isLiked, version] in
      let answer = try? await service.setLiked(wanted)
      guard version == self.version else { return }
      isLiked = answer ?? !wanted
    }
  }
}
