private func load(_ show: (String) -> Void) async {
  // example
  show("loaded")
}
