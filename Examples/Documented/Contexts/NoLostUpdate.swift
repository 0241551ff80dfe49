private actor Box {
  private var counts: [String: Int] = [:]
  func get(_ name: String) -> Int? { counts[name] }
  func set(_ count: Int, for name: String) { counts[name] = count }
}

private func countUp(_ box: Box) async {
  // example
}
