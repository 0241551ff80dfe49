extension SystemDescriptor {
  /// What a reader learns from a system beside its races: where it was drawn from, and what mends it. `simrun list` tells it.
  ///
  /// ```swift
  /// let lesson = SystemDescriptor.Lesson(
  ///   origin: "A dimmer as tutorials write it.",
  ///   sources: ["published": ["PublishedDimmer.swift"], "hardened": ["HardenedDimmer.swift"]],
  ///   guards: ["one-at-a-time": "Two taps would read the same level, and one would be lost."])
  /// ```
  public struct Lesson: Hashable, Sendable {
    /// The origin of the system, in a sentence or two.
    public var origin: String
    /// For each variant the files that differ from the others', relative to the folder of `file`. The lines that differ
    /// between a variant that breaks and the nearest one that is meant to hold are shown.
    public var sources: [String: [String]]
    /// What would be without each guard, by its name: a guard is a line that ends in `// guard: name`, or several of one name, without
    /// which its variant would not hold.
    public var guards: [String: String]
    /// The file that declares the descriptor, as the compiler knew it. Where it is not there, no lines are shown.
    public var file: String

    /// A lesson.
    public init(
      origin: String, sources: [String: [String]], guards: [String: String] = [:], file: String = #filePath
    ) {
      self.origin = origin
      self.sources = sources
      self.guards = guards
      self.file = file
    }
  }
}
