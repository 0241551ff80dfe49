internal import CConcurrencyHooks

extension DispatchQueues {
  /// The work of a task that has not begun, and the entry as which it begins.
  @safe struct Work {
    let work: ch_work
    var entry: Entry?
    /// True if it was canceled when it could run.
    var mayHaveBegun = false
  }

  /// Work that is handed over when a group is empty.
  @safe struct Notification {
    let group: UnsafeMutableRawPointer
    let work: ch_work
    /// The step that asked for it.
    let step: Int
  }
}
