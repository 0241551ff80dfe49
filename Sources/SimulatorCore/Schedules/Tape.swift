internal import CProcesses

/// The choices of the execution in progress, in order. Appending is O(1) amortized.
///
/// The choices are in the flight recorder as long as they fit there, so that they outlive the process if it does.
///
/// The buffer is unsafe because an array would check for uniqueness and exclusivity at every step. Safe because every
/// index that is read is below `count`.
@safe package final class Tape {
  private let recorder: FlightRecorder
  private var entries: UnsafeMutablePointer<cp_choice>
  private var capacity: Int
  private var isOwned: Bool
  package private(set) var count = 0
  /// The number of choices that were about order.
  package private(set) var orderChoices = 0

  package init(_ recorder: FlightRecorder) {
    self.recorder = recorder
    if let shared = unsafe recorder.tape {
      unsafe entries = shared
      capacity = Int(CP_TAPE_LENGTH)
      isOwned = false
    } else {
      unsafe entries = .allocate(capacity: 256)
      capacity = 256
      isOwned = true
    }
  }

  deinit {
    if isOwned { unsafe entries.deallocate() }
  }

  @inline(__always)
  package func append(_ kind: Schedule.Choice.Kind, options: Int, taken: Int) {
    if count == capacity { grow() }
    unsafe entries[count] = cp_choice(
      options: UInt32(truncatingIfNeeded: options), taken: UInt32(truncatingIfNeeded: taken),
      kind: UInt32(kind.rawValue))
    count += 1
    unsafe recorder.page.pointee.choices = UInt64(count)
    if kind == .order { orderChoices += 1 }
  }

  package func removeAll() {
    count = 0
    orderChoices = 0
    unsafe recorder.page.pointee.choices = 0
    unsafe recorder.page.pointee.tape = UInt(bitPattern: entries)
  }

  /// The choices; O(n). If there are more than ``mostKept``, the natural ones at the end are left out: an execution
  /// that never ends makes tens of millions, and the later ones add nothing to the first.
  package var choices: [Schedule.Choice] {
    var kept = count
    while kept > Self.mostKept, unsafe entries[kept - 1].taken == 0 { kept -= 1 }
    return (0..<kept).map { unsafe Schedule.Choice(entries[$0]) }
  }

  private static let mostKept = 4 << 20

  /// Moves the choices to memory of our own once they no longer fit into the recorder.
  private func grow() {
    let larger = UnsafeMutablePointer<cp_choice>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: entries, count: count)
    if isOwned { unsafe entries.deallocate() }
    unsafe entries = larger
    isOwned = true
    capacity *= 2
    unsafe recorder.page.pointee.tape = UInt(bitPattern: entries)
  }
}

extension Schedule.Choice {
  init(_ entry: cp_choice) {
    self.init(
      kind: Kind(rawValue: UInt8(truncatingIfNeeded: entry.kind)) ?? .order, options: Int(entry.options),
      taken: Int(entry.taken))
  }
}

extension Schedule {
  /// Creates a schedule of the deviations among `choices`. Steps of that execution may overlap if `hasPreemptibleSteps` is true or
  /// if one of the choices is a preemption. O(n).
  package init(
    choices: [Schedule.Choice], hasPreemptibleSteps: Bool = false, accessPoints: [CodePoint] = []
  ) {
    self.init(
      deviations: choices.indices.lazy.filter { choices[$0].taken != 0 }.map {
        Deviation(position: $0, taken: choices[$0].taken, options: choices[$0].options)
      }, hasPreemptibleSteps: hasPreemptibleSteps || choices.contains { $0.kind == .preemption },
      accessPoints: accessPoints)
  }
}
