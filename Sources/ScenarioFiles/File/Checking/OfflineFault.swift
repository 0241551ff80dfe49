import Simulator

/// An error in the times without a connection.
package enum OfflineFault: Error, Equatable, Sendable {
  case noConnection(system: String)
  case never
  case tooLate(longest: Nanoseconds)
  case overlaps(end: Nanoseconds, begin: Nanoseconds)
}

extension OfflineFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noConnection(let system):
      "nothing in \(Echo.quoted(system)) has a connection to lose: no operation of its fakes may reply "
        + "\(Echo.quoted(FakeReply.offline.name)); leave this out, or list that reply in its descriptor"
    case .never:
      "a period of \(Echo.quoted(OfflinePeriod.key)) that lasts no time never comes; write a longer one, or remove it"
    case .tooLate(let longest):
      "a period of \(Echo.quoted(OfflinePeriod.key)) must be over after \(longest); let it begin earlier, or be shorter"
    case .overlaps(let end, let begin):
      "this period may begin at \(begin), and the one before it may last until \(end); let this one begin later, or make one "
        + "of the two"
    }
  }
}
