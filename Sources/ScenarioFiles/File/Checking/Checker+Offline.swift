extension Checker {
  /// `"offline": [{ "from": "2s", "for": "1s...30s" }]`: the times without a connection, one after the other.
  mutating func offline(_ member: JSONMember?, of descriptor: SystemDescriptor) -> [OfflinePeriod] {
    guard let member else { return [] }
    guard descriptor.isConnected else {
      report(.offline(.noConnection(system: descriptor.name)), at: member.key.range)
      return []
    }
    var periods: [OfflinePeriod] = []
    for node in list(member.value, Echo.quoted(OfflinePeriod.key)) {
      guard let period = offlinePeriod(node) else { continue }
      if let last = periods.last, let end = last.end, period.from.shortest < end {
        report(.offline(.overlaps(end: end, begin: period.from.shortest)), at: node)
      }
      periods.append(period)
    }
    return periods
  }

  private mutating func offlinePeriod(_ node: JSONNode) -> OfflinePeriod? {
    let keys = OfflinePeriod.Key.allCases.map(\.rawValue)
    guard let fields = fields(of: node, "a period of \(Echo.quoted(OfflinePeriod.key))", required: keys)
    else {
      return nil
    }
    let from = fields[OfflinePeriod.Key.from.rawValue].flatMap { timeOffer($0) }
    let lengthNode = fields[OfflinePeriod.Key.length.rawValue]
    guard let length = lengthNode.flatMap({ timeOffer($0) }), let from else { return nil }
    let period = OfflinePeriod(from: from, length: length)
    if length.longest == .zero, let lengthNode { report(.offline(.never), at: lengthNode) }
    if period.end == nil { report(.offline(.tooLate(longest: .longest)), at: node) }
    return period
  }
}
