import Simulator

private actor Editor {
  func save() async throws {}
}

private func example(_ editor: Editor) {
  // example
  _ = report
}
