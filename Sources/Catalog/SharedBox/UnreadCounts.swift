/// How many messages are unread in each channel: what the badges of the app show.
protocol UnreadCounts: Sendable {
  /// A message has come.
  func received(in channel: String) async
}

// MARK: - Seams

protocol MessageLog: Sendable {
  func append(_ line: String) async
}
