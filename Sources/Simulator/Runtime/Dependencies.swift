internal import CConcurrencyHooks

/// What must be known to tell a strategy, where it asks for it, on what the steps of an execution depend. Nothing here
/// is on the path of a strategy that does not ask.
@safe final class Dependencies: ExecutionTable {
  /// The tasks that are part of another, which are cancelled with it; also those that have ended. Few cancel, and every
  /// child is put here: so it is a list, and a cancel looks through it.
  var children: ContiguousArray<(parent: Int32, child: Int32)> = []
  /// Those of them that are in a group.
  var groupChildren: [Int32: [Int32]] = [:]
  var hasGroups = false
  var randomReads: UInt64 = 0
  var clockReads: UInt64 = 0
  var priority: UInt8?
  var severalPriorities = false
  var streams = Streams()
  var used = UsedObjects()
  var joins = Joins()

  private var isUsed = false

  deinit { streams.removeAll() }

  /// An execution begins whose strategy asks.
  func begin() { isUsed = true }

  var isFresh: Bool {
    children.isEmpty && groupChildren.isEmpty && !hasGroups && priority == nil && streams.isEmpty
      && used.isEmpty && joins.isEmpty
  }

  func removeAll() {
    guard isUsed else { return }
    isUsed = false
    if !children.isEmpty { children.removeAll(keepingCapacity: true) }
    if hasGroups {
      groupChildren.removeAll(keepingCapacity: true)
      hasGroups = false
    }
    priority = nil
    severalPriorities = false
    streams.removeAll()
    used.removeAll()
    joins.removeAll()
  }
}
