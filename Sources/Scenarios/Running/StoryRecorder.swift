internal import Foundation
import ScenarioFiles
import Simulator
internal import Synchronization

/// What happened in one execution of a story that was made up, so that a scenario can say it.
struct ToldStory: Codable, Equatable, Sendable {
  /// Something that the user did.
  struct Act: Codable, Equatable, Sendable {
    let step: AnythingLine.Step
    let at: Nanoseconds
    /// What it cancels, by its place among the acts; nil where it begins something.
    let cancels: Int?
    /// The acts that had begun and not ended by then, by their places.
    let during: [Int]
  }

  /// A call of a fake, with all that was decided about it.
  struct Call: Codable, Equatable, Sendable {
    let fake: String
    let operation: String
    let arrivalDelay: Nanoseconds?
    let delay: Nanoseconds
    let spend: Nanoseconds
    let reply: String
    let fault: String
    let ignoresCancel: Bool
  }

  /// A time without a connection.
  struct Downtime: Codable, Equatable, Sendable {
    let from: Nanoseconds
    let length: Nanoseconds
  }

  /// Whether it was never told.
  var isEmpty = true
  var settings = NamedValues()
  var downtimes: [Downtime] = []
  var acts: [Act] = []
  /// In the order in which those of each operation began.
  var calls: [Call] = []
}

/// Keeps what happens in the story of an execution.
final class StoryRecorder: Sendable {
  private struct State {
    var story = ToldStory()
    /// The labels of the acts.
    var labels: [String] = []
    var fakes: [any CallRecording] = []
  }

  private let state = Mutex(State())

  /// The story of the last execution; none is under way.
  var story: ToldStory {
    state.withLock { state in
      var story = state.story
      for fake in state.fakes { story.calls += fake.calls.map { ToldStory.Call($0, of: fake.name) } }
      return story
    }
  }

  /// The story of an execution in a process of its own comes back by this.
  var childPayload: ChildPayload {
    ChildPayload(
      pack: { (try? JSONEncoder().encode(self.story)) ?? Data() },
      unpack: { data in
        guard let story = try? JSONDecoder().decode(ToldStory.self, from: data) else { return }
        self.state.withLock { $0 = State(story: story) }
      }, amount: { 0 })
  }

  /// An execution begins.
  @MainActor func begins(in world: World) {
    let (settings, fakes) = (world.settings, world.fakes)
    let begin = ContinuousClock.now
    let downtimes = world.connection.downtimes.map {
      ToldStory.Downtime(
        from: Nanoseconds(begin.duration(to: $0.lowerBound)),
        length: Nanoseconds($0.lowerBound.duration(to: $0.upperBound)))
    }
    state.withLock {
      $0 = State(
        story: ToldStory(isEmpty: false, settings: settings, downtimes: downtimes), fakes: fakes)
    }
  }

  func began(
    _ step: AnythingLine.Step, as action: Trace.Action, during others: [Trace.Action], at now: VirtualInstant
  ) {
    state.withLock { state in
      let during = others.compactMap { state.labels.firstIndex(of: $0.label) }
      state.labels.append(action.label)
      state.story.acts.append(
        ToldStory.Act(step: step, at: Nanoseconds(now.nanoseconds), cancels: nil, during: during))
    }
  }

  func cancelled(_ step: AnythingLine.Step, begunAs action: Trace.Action, at now: VirtualInstant) {
    state.withLock { state in
      let index = state.labels.firstIndex(of: action.label)
      state.labels.append("cancel \(action.label)")
      state.story.acts.append(
        ToldStory.Act(step: step, at: Nanoseconds(now.nanoseconds), cancels: index, during: []))
    }
  }
}

extension ToldStory.Call {
  /// The decisions about a call in a world in which no time is a range.
  fileprivate init(_ record: CallRecord, of fake: String) {
    self.init(
      fake: fake, operation: record.call.operation,
      arrivalDelay: record.arrivalDelay.map { Nanoseconds($0.lowerBound) },
      delay: Nanoseconds(record.delay.lowerBound), spend: Nanoseconds(record.spend), reply: record.reply,
      fault: record.fault.rawValue, ignoresCancel: record.ignoresCancellation)
  }
}

extension Nanoseconds {
  fileprivate init(_ duration: Duration) { self.init(duration.wholeNanoseconds) }
}

extension ScenarioRunner {
  /// The story of the schedule that `token` names, with what its execution violates; nil where that goes another way, or
  /// its process has ended before it could tell.
  func tell(_ variant: String, _ token: Schedule.Token) -> (
    story: ToldStory, execution: Simulation.Execution
  )? {
    let recorder = StoryRecorder()
    let result = explorer(variant, recordedBy: recorder).replay(token)
    let story = recorder.story
    guard result.divergence == nil, !story.isEmpty else { return nil }
    return (story, result.execution)
  }
}
