internal import CConcurrencyHooks

/// What a strategy is told about what steps have in common, where it asks to be told. Nothing here is on the path of
/// one that does not.
final class Touches {
  /// The tasks that have made children in a group.
  var groupParents: Set<Int32> = []
  var cancelled: Set<Int32> = []
  var randomReads: UInt64 = 0
  var priority: UInt8?
  var severalPriorities = false

  func reset() {
    groupParents = []
    cancelled = []
    priority = nil
    severalPriorities = false
  }
}

extension Scheduler {
  func stepBegins(_ arrival: Arrival) {
    unsafe touches.randomReads = hooks.pointee.random_reads
    // A drain runs whoever else has come to the mailbox meanwhile, unseen.
    if unsafe arrival.task < 0 || ch_job_kind(arrival.job) == CH_KIND_DRAIN {
      chooser.touched(.everything, .exclusive)
    } else if touches.groupParents.contains(arrival.task) {
      chooser.touched(.group(tasks[arrival.task].path), .read)
    }
    guard arrival.domain != Domains.pool else { return }
    if witness.isWatching { chooser.touched(.watched, .exclusive) }
    // Only among several priorities does it count who had landed when a domain became free.
    if touches.severalPriorities { chooser.touched(.mailbox(domains[arrival.domain].place), .read) }
  }

  func stepEnds() {
    if unsafe hooks.pointee.random_reads != touches.randomReads { chooser.touched(.randomness, .exclusive) }
    for task in tasks.living where !touches.cancelled.contains(task) {
      guard unsafe ch_is_cancelled(tasks[task].address) else { continue }
      touches.cancelled.insert(task)
      chooser.touched(.task(tasks[task].path), .exclusive)
    }
  }

  func begins(_ task: UnsafeMutableRawPointer, by parent: Int32) {
    if parent >= 0, unsafe ch_is_group_child(task) { touches.groupParents.insert(parent) }
  }

  /// The running step has asked for the result of `task`.
  func consulted(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0 { chooser.touched(.result(tasks[index].path), .read) }
  }

  func arrives(_ task: Int32, on domain: Int32) {
    guard domain != Domains.pool else { return }
    chooser.touched(.mailbox(domains[domain].place), .added)
    guard task >= 0, domains[domain].keepsPriorities else { return }
    let priority = unsafe ch_job_priority(tasks[task].address)
    if let known = touches.priority, known != priority { touches.severalPriorities = true }
    touches.priority = priority
  }

  func lands(on domain: Int32) { chooser.touched(.mailbox(domains[domain].place), .exclusive) }
}
