private actor Service {
  func letters() -> [String] { [] }
}

private let service = Service()

private enum Example {
  typealias Letter = String

  // example
}
