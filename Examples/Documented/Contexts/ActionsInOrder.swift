private typealias Action = String

private actor Search {
  private var shown: [Action] = []
  private func handle(_ action: Action) { shown.append(action) }

  // example
}
