import Observation

/// What is rehearsed.
struct Screenplay: Hashable, Sendable {
  let title: String
  let scenes: [String]
  let cast: [String]
}

/// How far the rehearsal screen has come.
enum RehearsalScreen: String, Hashable, Sendable {
  case idle, loading, ready, failed
}

/// The model behind the screen: three calls, two parses and one write in one task of the view.
@MainActor protocol RehearsalModel: AnyObject {
  var screen: RehearsalScreen { get }
  func load() async
}

// MARK: - Seams

protocol ScreenplayService: Sendable {
  func title() async throws -> String
  func scenes() async throws -> String
  func cast() async throws -> String
}

protocol ScreenplayParser: Sendable {
  /// Takes its time, wherever it is called.
  func lines(of text: String) async throws -> [String]
}

protocol ScreenplayStore: Sendable {
  /// Saves all of it or nothing.
  func save(_ screenplay: Screenplay) async throws
}
