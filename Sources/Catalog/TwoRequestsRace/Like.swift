/// The heart beside a photo: what it shows follows the user's thumb at once.
@MainActor protocol LikeModel: AnyObject {
  var isLiked: Bool { get }
  func toggle()
}

// MARK: - Seams

protocol LikeService: Sendable {
  /// Tells the server, and answers what it has noted. Throws ``AnswerLost`` when it may have noted it, and nobody knows.
  func setLiked(_ isLiked: Bool) async throws -> Bool
}

/// The connection was lost when the request was under way.
struct AnswerLost: Error {}
