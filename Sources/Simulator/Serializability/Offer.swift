internal import SimulatorCore
internal import SimulatorKernel

/// An operation that a schedule may pick.
struct Offer<Subject: Sendable>: Sendable {
  let name: String
  let perform: @Sendable (Subject) async -> Answer

  init(_ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Answer) {
    self.name = name
    self.perform = { subject in
      do { return try await perform(subject) } catch { return Answer(error: error) }
    }
  }
}

/// The limits on the operations that a schedule picks, and on their tasks.
struct OfferLimits: Sendable {
  var operations = 4
  var tasks = 2

  func refuseMeaningless() {
    refuse(if: operations < 1 || tasks < 1, "`upTo` is given at least one operation and one task")
  }
}

extension Simulation {
  /// Picks from `names` and returns, for each task, the positions of its names. Tasks without any are omitted.
  ///
  /// Each choice has the same options, whatever the others took, and the first option is that nothing runs. So a
  /// schedule stays the same if one of its operations is removed.
  func draw(of names: [String], _ limits: OfferLimits) -> [[Int]] {
    limits.refuseMeaningless()
    guard !names.isEmpty else { return [] }
    var tasks = Array(repeating: [Int](), count: limits.tasks)
    let options =
      [DrawnCall.nothing]
      + tasks.indices.flatMap { task in names.indices.map { .call(names[$0], at: $0, task: task) } }
    for _ in 0..<limits.operations {
      if case .call(_, let position, let task) = choose(among: options) { tasks[task].append(position) }
    }
    return tasks.filter { !$0.isEmpty }
  }
}

private enum DrawnCall: CustomStringConvertible {
  case nothing
  case call(String, at: Int, task: Int)

  var description: String {
    switch self {
    case .nothing: "no operation"
    case .call(let name, _, let task): "\(name) on task \(task + 1)"
    }
  }
}
