private final class Transfer {
  var onProgress: (@Sendable (Int) -> Void)?
}

private actor Screen {
  private var shown = 0
  func show(_ parts: Int) { shown = parts }

  func follow(_ transfer: Transfer) {
    // example
  }
}
