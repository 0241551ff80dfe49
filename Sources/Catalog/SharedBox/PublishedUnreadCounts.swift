/// Counts inside the actor, and logs in the middle. While it waits for the log, the actor counts the next
/// message.
actor PublishedUnreadCounts: UnreadCounts {
  private(set) var counts: [String: Int] = [:]
  private let log: any MessageLog

  init(log: any MessageLog) {
    self.log = log
  }

  func received(in channel: String) async {
    let count = counts[channel, default: 0] + 1
    await log.append("received number \(count) in \(channel)")
    counts[channel] = count
  }
}
