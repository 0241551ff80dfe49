internal import SimulatorCore
internal import SimulatorStrategyInterface

// The order that serial domains keep, and domains that are closed by work that takes time.

extension Scheduler {
  /// The moment from which on an arrival is known to be in its mailbox.
  enum Enqueuing { case atOnce, withNextStep, never }

  @inline(__always)
  func enqueue(_ arrival: inout Arrival, _ enqueued: Enqueuing) {
    switch enqueued {
    case .atOnce:
      arrival.isEnqueued = true
      if chooser.followsDependencies { lands(on: arrival.domain) }
      domains.makeMailbox(of: arrival.domain).enqueued(
        arrival.id, priority: arrival.priority, at: state.nextID)
    case .withNextStep:
      if state.frame.isWithin { state.frame.inFlight = arrival.id }
      if state.frame.domain > Domains.pool { domains.setInFlight(state.frame.domain, arrival.id) }
    case .never: break
    }
  }

  @inline(__always)
  func mustWait(_ arrival: Arrival) -> Bool {
    let domain = arrival.domain
    if let mailbox = domains.mailbox(of: domain),
      mailbox.mustWait(arrival.id, priority: arrival.priority)
    {
      return true
    }
    guard domains.closed > 0, domains.isClosed(domain) else { return false }
    domains.hold(arrival.id, on: domain)
    if chooser.followsDependencies, domains.isClosedByParked(domain) {
      chooser.offered(candidate(arrival))
      chooser.withdrew(candidate(arrival).heldByParked)
    }
    return true
  }

  /// Releases the arrivals that no longer have to wait when a step begins on a serial domain.
  @inline(__always)
  func enter(_ arrival: Arrival) {
    if arrival.isEnqueued, let mailbox = domains.mailbox(of: arrival.domain) {
      for id in mailbox.left(arrival.id, priority: arrival.priority) { release(id) }
    }
    if arrival.reopensDomain, domains.isClosed(arrival.domain) {
      for id in domains.reopen(arrival.domain) { release(id) }
    }
    if let departed = domains.takeInFlight(arrival.domain) { enqueued(departed) }
  }

  func enqueued(_ id: Strategies.Candidate.ID) {
    guard let slot = queue.slot(of: id) else { return }
    let arrival = queue.arrival(at: slot)
    guard !arrival.isEnqueued else { return }
    queue.setEnqueued(slot)
    if chooser.followsDependencies { lands(on: arrival.domain) }
    domains.makeMailbox(of: arrival.domain).enqueued(id, priority: arrival.priority, at: state.nextID)
  }

  /// Notes that a step has ended on a domain that keeps an order, and holds back the arrivals that must now wait.
  func becameFree(_ domain: Int32) {
    guard let mailbox = domains.mailbox(of: domain) else { return }
    let floor = mailbox.becameFree(at: state.nextID)
    // Whatever is enqueued from here on counts as later, even if nothing is sent in between.
    state.nextID += 1
    guard let floor, domains[domain].keepsPriorities else { return }
    for slot in queue.slots(onDomain: domain)
    where queue.isOffered(slot) && queue.arrival(at: slot).priority < floor {
      let arrival = queue.arrival(at: slot)
      queue.setOffered(slot, false)
      mailbox.holdBack(arrival.id, priority: arrival.priority)
      if chooser.follows { chooser.withdrew(candidate(arrival)) }
    }
  }

  func release(_ id: Strategies.Candidate.ID) {
    guard let slot = queue.slot(of: id), !queue.isOffered(slot) else { return }
    queue.setOffered(slot, true)
    if chooser.follows { chooser.offered(candidate(queue.arrival(at: slot))) }
  }
}
