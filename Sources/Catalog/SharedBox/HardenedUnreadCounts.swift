/// Reads and writes in one step, and waits for the log afterwards.
actor HardenedUnreadCounts: UnreadCounts {
  private(set) var counts: [String: Int] = [:]
  private let log: any MessageLog

  init(log: any MessageLog) {
    self.log = log
  }

  func received(in channel: String) async {
    let count = counts[channel, default: 0] + 1
    counts[channel] = count  // guard: count-before-waiting => defer { counts[channel] = count }
    await log.append("received number \(count) in \(channel)")
  }
}

// Not guards: that it is an actor, without which the marked line does not compile, and the message for the
// log.
