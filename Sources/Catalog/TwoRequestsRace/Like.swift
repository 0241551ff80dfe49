/// The heart beside a photo: what it shows follows the user's thumb at once.
@MainActor protocol LikeModel: AnyObject {
  var isLiked: Bool { get }
  func toggle()
}

// MARK: - Seams

protocol LikeService: Sendable {
  /// Tells the server, and answers what it has noted.
  func setLiked(_ isLiked: Bool) async throws -> Bool
}
