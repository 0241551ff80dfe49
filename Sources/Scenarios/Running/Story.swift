import ScenarioFiles
import Simulator

/// A story that is made up: what the user does, chosen when the execution begins, so that a schedule without one of its actions
/// is the story without it.
///
/// Its actions come in their order. Each may come at any scheduling point after the one before, by nature when all is at rest.
@MainActor struct Story {
  /// What the user does next.
  enum Step: Sendable, CustomStringConvertible {
    case nothing
    case act(AnythingLine.Step)
    /// The action that this step of the story began is cancelled.
    case cancel(step: Int, AnythingLine.Step)

    nonisolated var description: String {
      switch self {
      case .nothing: "nothing"
      case .act(let step): step.text
      case .cancel(let step, let action): "cancel \(action.text) (action \(step + 1))"
      }
    }
  }

  private let harness: Harness
  /// What happens, with the number of each step.
  private let steps: [(number: Int, step: Step)]
  private let note: @MainActor (Step) -> Void

  init(_ line: AnythingLine, on harness: Harness, noting note: @escaping @MainActor (Step) -> Void) {
    self.harness = harness
    self.note = note
    var steps: [(number: Int, step: Step)] = []
    let actions = line.steps.map(Step.act)
    for number in 0..<line.atMost {
      let cancels = line.cancels ? steps.compactMap { Self.cancel($0.number, $0.step, unless: steps) } : []
      let step = harness.simulation.choose(.action, among: [.nothing] + actions + cancels)
      if case .nothing = step { continue }
      steps.append((number, step))
    }
    self.steps = steps
  }

  /// The cancel of an action that has not been cancelled.
  private static func cancel(_ number: Int, _ step: Step, unless steps: [(number: Int, step: Step)]) -> Step?
  {
    guard case .act(let action) = step, !action.isRelaunch else { return nil }
    let isCancelled = steps.contains { other in
      if case .cancel(number, _) = other.step { true } else { false }
    }
    return isCancelled ? nil : .cancel(step: number, action)
  }

  /// Offers the first action.
  func begin() { offer(0, [:]) }

  private func offer(_ index: Int, _ begun: [Int: Harness.Begun]) {
    guard index < steps.count else { return }
    let (number, step) = steps[index]
    harness.simulation.anytime(step.description) { [harness] in
      harness.simulation.outsideSteps {
        MainActor.assumeIsolated {
          note(step)
          let before = harness.underWay
          var begun = begun
          switch step {
          case .nothing: break
          case .act(let action):
            let started = harness.begin(action.action, action.words, action.arguments)
            harness.recorder?.began(action, as: started.action, during: before, at: harness.simulation.now)
            begun[number] = started
          case .cancel(let earlier, let action):
            guard let earlier = begun[earlier] else { break }
            harness.recorder?.cancelled(action, begunAs: earlier.action, at: harness.simulation.now)
            harness.cancel(earlier)
          }
          offer(index + 1, begun)
        }
      }
    }
  }
}

extension AnythingLine.Step {
  var isRelaunch: Bool { action == SystemDescriptor.Action.relaunch.name }

  /// The action with its arguments.
  var text: String { words.isEmpty ? action : "\(action) \(words)" }
}
