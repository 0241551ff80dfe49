/// Something that a real part of an app's world does, and what its fake does.
///
/// The same lines run against both. Where the two come to something else, the fact says what each comes to, and why.
public struct Fact<Subject>: Sendable, CustomStringConvertible {
  /// A sentence that holds of the real part.
  public let name: String
  /// What the real part may come to. Where that is more than one thing, its own threads decide.
  public let real: Set<String>
  /// All that the fake comes to, in one schedule or another.
  public let fake: Set<String>
  /// Why the fake comes to something else; nil where it does not.
  public let difference: String?
  let prove: @Sendable (Subject) async throws -> String

  init(
    _ name: String, _ real: Set<String>, fake: Set<String>? = nil, because difference: String? = nil,
    _ prove: @escaping @Sendable (Subject) async throws -> String
  ) {
    self.name = name
    self.real = real
    self.fake = fake ?? real
    self.difference = difference
    self.prove = prove
  }

  public var description: String { name }

  /// What the fact comes to with `subject`.
  func outcome(with subject: Subject) async -> String {
    do { return try await prove(subject) } catch { return "threw \(words(error))" }
  }
}

/// A fact as it was found.
public struct Finding: Sendable {
  /// The fact's sentence.
  public let name: String
  /// What the real part may come to, as the fact has it.
  public let stated: Set<String>
  /// What the real part came to.
  public let real: String
  /// What the fake came to, in every schedule that was tried.
  public let fake: Set<String>
  /// Why they differ, if they are to.
  public let difference: String?
  /// Whether both came to what the fact says.
  public let isAsStated: Bool

  init<Subject>(_ fact: Fact<Subject>, real: String, fake: Set<String>) {
    (name, stated, difference) = (fact.name, fact.real, fact.difference)
    (self.real, self.fake) = (real, fake)
    isAsStated = fact.real.contains(real) && fake == fact.fake
  }
}
