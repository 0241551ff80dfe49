import Simulator
import Testing

private func example() async throws {
  // example
  _ = response
}

struct Letter {
  let text: String
  static func scripted(_ reply: String) throws -> [Letter] { [Letter(text: reply)] }
}

protocol InboxService {
  func letters() async throws -> [Letter]
}

// example 2
