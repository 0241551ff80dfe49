// The order that serial domains keep, and domains that are closed by work that takes time.

extension Scheduler {
  /// When an arrival is known to be in its mailbox.
  enum Landing { case atOnce, withNextStep, never }

  @inline(__always)
  func land(_ arrival: inout Arrival, _ landing: Landing) {
    switch landing {
    case .atOnce:
      arrival.hasLanded = true
      if chooser.followsDependencies { lands(on: arrival.domain) }
      domains.makeMailbox(of: arrival.domain).landed(
        arrival.id, priority: arrival.priority, at: state.nextID)
    case .withNextStep:
      if state.frame.isWithin { state.frame.departure = arrival.id }
      if state.frame.domain > Domains.pool { domains.setDeparture(state.frame.domain, arrival.id) }
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
    if chooser.followsDependencies, domains.isClosedByStanding(domain) {
      chooser.offered(candidate(arrival))
      chooser.withdrew(candidate(arrival).heldByStanding)
    }
    return true
  }

  /// A step begins on a serial domain.
  @inline(__always)
  func enter(_ arrival: Arrival) {
    if arrival.hasLanded, let mailbox = domains.mailbox(of: arrival.domain) {
      for id in mailbox.left(arrival.id, priority: arrival.priority) { release(id) }
    }
    if arrival.reopensDomain, domains.isClosed(arrival.domain) {
      for id in domains.reopen(arrival.domain) { release(id) }
    }
    if let departed = domains.takeDeparture(arrival.domain) { landed(departed) }
  }

  func landed(_ id: Strategies.Candidate.ID) {
    guard let slot = queue.slot(of: id) else { return }
    let arrival = queue.arrival(at: slot)
    guard !arrival.hasLanded else { return }
    queue.setLanded(slot)
    if chooser.followsDependencies { lands(on: arrival.domain) }
    domains.makeMailbox(of: arrival.domain).landed(id, priority: arrival.priority, at: state.nextID)
  }

  /// A step has ended on a domain that keeps an order.
  func becameFree(_ domain: Int32) {
    guard let mailbox = domains.mailbox(of: domain) else { return }
    let floor = mailbox.becameFree(at: state.nextID)
    // What lands from here on lands later, also if nothing sets out before.
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
