/// A dictionary in an actor. Each access is safe; what was read may be old when something is set.
actor Box<Key: Hashable & Sendable, Content: Sendable> {
  private(set) var contents: [Key: Content] = [:]

  func get(_ key: Key) -> Content? { contents[key] }

  func set(_ content: Content, for key: Key) { contents[key] = content }
}

/// Gets, changes, sets.
struct NaiveUnreadCounts: UnreadCounts {
  let box: Box<String, Int>
  let log: any MessageLog

  func received(in channel: String) async {
    await log.append("received in \(channel)")
    let count = await box.get(channel) ?? 0
    await box.set(count + 1, for: channel)
  }
}
