internal import CConcurrencyHooks

/// The state from which a strategy that asks for it gets the dependencies of the steps of an execution. Nothing here is
/// on the path of a strategy that does not ask.
@safe final class Dependencies: ExecutionTable {
  /// The tasks that are part of another and are cancelled with it, including those that have ended. Every child is
  /// added here, and few tasks cancel, so this is a list that a cancel searches.
  var children: ContiguousArray<(parent: Int32, child: Int32)> = []
  /// The children that are in a group, by parent.
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

  /// Notes that an execution begins whose strategy asks.
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
