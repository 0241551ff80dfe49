import Simulator

// page: monitor
/// At rest, what was ever in the outbox is still there, or has arrived.
struct NothingLost: Invariant.Monitor {
  static let invariant = Invariant(
    "nothing-lost", "What leaves the outbox arrives.", diagnosis: Invariant.Diagnosis("lost on the way")
  ) { NothingLost() }

  private var ever: Set<Trace.Value> = []
  private var held: [Trace.Value] = []
  private var arrived: [Trace.Value] = []

  var judged: Bool { !ever.isEmpty }
  var outlivesProcess: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(let name, _, .list(let orders)) = event.kind else { return nil }
    if name == "shop" { arrived = orders }
    if name == "outbox" { held = orders }
    ever.formUnion(held)
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    let lost = ever.subtracting(held + arrived).map(\.description).sorted()
    return lost.isEmpty ? nil : "\(lost.joined(separator: ", ")) never arrived"
  }
}
// page: end
