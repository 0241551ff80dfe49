private final class Feed {
  private var cache: [String: String] = [:]

  // example
}
