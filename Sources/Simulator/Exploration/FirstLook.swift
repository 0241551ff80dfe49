/// The findings of up to three executions in a child.
struct FirstLook: Codable {
  /// The digest of each execution. No more execution runs after one that took very many steps at one instant, whose
  /// digest is then missing, or after one that left much memory in use.
  var digests: [UInt64] = []
  /// True if tasks share something that only preemptible steps can show, and these steps were atomic.
  var needOverlap = false
  /// True if the memory left in use would soon fill a process.
  var leavesMuch = false
}
