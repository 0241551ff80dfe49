import Simulator

@MainActor private final class Search {
  var query = ""
}

@MainActor private func example(_ search: Search) async throws {
  // example
}
