extension SystemDescriptor {
  /// The background of a system: where it comes from, and which lines fix it. `simrun list SYSTEM` shows it.
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
    /// The files of each variant that differ from those of the others, relative to the folder of `file`. The lines that
    /// differ between a variant that breaks and the nearest one that is meant to hold are shown.
    public var sources: [String: [String]]
    /// The consequence of leaving out each guard, by the guard's name. A guard is a line that ends in `// guard: name`, or
    /// several lines with one name, without which the variant would not hold.
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
