/// The choices of the execution in progress, in order. Appending is O(1) amortised.
///
/// An unsafe buffer, because an array's checks for uniqueness and exclusivity would be paid at every step; safe
/// because every index read is below `count`.
@safe final class Tape {
  private struct Entry {
    let options: UInt32
    let taken: UInt32
    let kind: Choice.Kind
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 256
  private(set) var count = 0
  /// How many of the choices were about order.
  private(set) var orderChoices = 0

  init() {
    unsafe entries = .allocate(capacity: 256)
  }

  deinit {
    unsafe entries.deallocate()
  }

  @inline(__always)
  func append(_ kind: Choice.Kind, options: Int, taken: Int) {
    if count == capacity { grow() }
    unsafe entries[count] = Entry(
      options: UInt32(truncatingIfNeeded: options), taken: UInt32(truncatingIfNeeded: taken), kind: kind)
    count += 1
    if kind == .order { orderChoices += 1 }
  }

  func removeAll() {
    count = 0
    orderChoices = 0
  }

  /// The choices; O(n).
  var choices: [Choice] {
    (0..<count).map {
      let entry = unsafe entries[$0]
      return Choice(kind: entry.kind, options: Int(entry.options), taken: Int(entry.taken))
    }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: entries, count: count)
    unsafe entries.deallocate()
    unsafe entries = larger
    capacity *= 2
  }
}

extension Schedule {
  /// The deviations among `choices`; O(n).
  init(choices: [Choice]) {
    self.init(
      deviations: choices.indices.lazy.filter { choices[$0].taken != 0 }.map {
        Deviation(position: $0, taken: choices[$0].taken, options: choices[$0].options)
      })
  }
}
