/// What up to three executions in a child have shown.
struct FirstLook: Codable {
  /// Of each. The others are spared where the first took very many steps at one instant, which is then not among them, or left
  /// much memory in use.
  var digests: [UInt64] = []
  /// Whether tasks share what only steps that overlap can show, and these did not.
  var needOverlap = false
  /// Whether what the first left in use would soon fill a process.
  var leavesMuch = false
}
