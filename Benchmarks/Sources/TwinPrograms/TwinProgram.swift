public import Simulator

/// A concurrent program with one bug, and its twin without it.
///
/// What differs between the two stands in a `switch` or an `if` over ``Twin``.
public struct TwinProgram: Sendable {
  /// What the program is.
  public let name: String

  /// What it is made of, in a few words.
  public let kind: String

  /// The bug, in one sentence.
  public let bug: String

  /// The fewest deviations from the natural order with which the bug shows, in an optimized build.
  public let deviations: Int

  /// The program. It fails, or comes to a deadlock, where the bug shows.
  public let body: @Sendable (Simulation, Twin) async throws -> Void

  /// Whether a program has its bug.
  public enum Twin: Sendable {
    case seeded
    case mended
  }

  /// A program.
  public init(
    _ name: String, _ kind: String, bug: String, deviations: Int,
    body: @escaping @Sendable (Simulation, Twin) async throws -> Void
  ) {
    self.name = name
    self.kind = kind
    self.bug = bug
    self.deviations = deviations
    self.body = body
  }
}

extension TwinProgram {
  /// What searches one of the twins, with default settings.
  public func explorer(_ twin: Twin) -> Explorer {
    // No thread of others is awaited at a deadlock: there are none.
    let options = Simulation.Options(foreignThreadTimeout: .zero)
    return Explorer(name: name, options: options) { [body] in try await body($0, twin) }
  }
}
