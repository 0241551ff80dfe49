import Simulator

extension Screenplay {
  static let firstDraft = Screenplay(title: "Storm, draft 1", scenes: ["Ship 1"], cast: ["Ariel 1"])
  static let secondDraft = Screenplay(
    title: "Storm, draft 2", scenes: ["Ship 2", "Isle 2"], cast: ["Ariel 2"])

  var shown: Trace.Value { .list(([title] + scenes + cast).map { .text($0) }) }
}

extension FakeNetwork: ScreenplayService {
  nonisolated func title() async throws -> String {
    try await part("GET /title", [Screenplay.secondDraft.title])
  }

  nonisolated func scenes() async throws -> String {
    try await part("GET /scenes", Screenplay.secondDraft.scenes)
  }

  nonisolated func cast() async throws -> String {
    try await part("GET /cast", Screenplay.secondDraft.cast)
  }

  private nonisolated func part(_ route: String, _ lines: [String]) async throws -> String {
    try await exchange(route, showing: { .text($0) }) { _ in lines.joined(separator: "\n") }
  }
}

extension FakeDecoder: ScreenplayParser {
  func lines(of text: String) async throws -> [String] {
    try await work("parse", .text(text), showing: { .list($0.map { .text($0) }) }) { _ in
      text.split(separator: "\n").map { String($0) }
    }
  }
}

extension FakeStore: ScreenplayStore {
  nonisolated func save(_ screenplay: Screenplay) async throws {
    try await transaction([.set("screenplay", screenplay)])
  }
}
