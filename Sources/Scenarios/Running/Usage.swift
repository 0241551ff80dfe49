internal import Foundation
import ScenarioFiles
import Simulator
internal import Synchronization

/// The parts of a scenario that its executions have used; a part that none has used was not tested.
final class Usage: Sendable {
  struct Seen: Codable, Sendable {
    var lines: Set<Int> = []
    var operations: Set<OperationName> = []
    var replies: Set<Decision> = []
    var faults: Set<Decision> = []
    /// Of stories that are made up: what the user has done, and cancelled, which two actions have overlapped, and which
    /// settings were chosen.
    var actions: Set<String> = []
    var cancels: Set<String> = []
    var overlaps: Set<String> = []
    var settings: Set<String> = []
    /// Whether a call has met a connection that was down, or went.
    var hasLostConnection = false
    /// The fakes of the execution that is under way, or has just ended.
    fileprivate var fakes: [any CallRecording] = []
    /// The last kinds of calls that were counted: to find one here takes less than to hash its names.
    fileprivate var latest: [CallKind] = []

    private enum CodingKeys: CodingKey {
      case lines, operations, replies, faults, actions, cancels, overlaps, settings, hasLostConnection
    }

    /// How much that is.
    var count: Int {
      lines.count + operations.count + replies.count + faults.count + actions.count + cancels.count
        + overlaps.count + settings.count + (hasLostConnection ? 1 : 0)
    }
  }

  /// What is counted of a call.
  fileprivate struct CallKind: Equatable {
    let fake: String
    let operation: String
    let reply: String
    let fault: FakeFault
    let hasAnswer: Bool

    static let mostKept = 32
  }

  struct OperationName: Hashable, Codable {
    let fake: String
    let operation: String
  }

  struct Decision: Hashable, Codable {
    let operation: OperationName
    let name: String
  }

  private let seen = Mutex(Seen())

  /// A line of the script did what it says.
  func performed(line: Int) {
    seen.withLock { _ = $0.lines.insert(line) }
  }

  /// A story that is made up went on by `step`.
  func performed(line: Int, _ step: Story.Step) {
    seen.withLock { seen in
      seen.lines.insert(line)
      switch step {
      case .nothing: break
      case .act(let action): seen.actions.insert(action.text)
      case .cancel(_, let action): seen.cancels.insert(action.action)
      }
    }
  }

  /// An action began while another was under way.
  func overlapped(_ one: String, _ other: String) {
    seen.withLock { _ = $0.overlaps.insert(StoryCoverage.overlap(one, other)) }
  }

  /// A setting has this value in the execution that begins.
  func chose(_ setting: String) {
    seen.withLock { _ = $0.settings.insert(setting) }
  }

  /// An execution begins with these fakes, so the one before it is over.
  func begins(with fakes: [any CallRecording]) {
    seen.withLock { seen in
      seen.countCalls()
      seen.fakes = fakes
    }
  }

  /// All that was used; no execution is under way.
  var total: Seen {
    seen.withLock { seen in
      seen.countCalls()
      return seen
    }
  }

  /// Adds what was used in another process.
  func add(_ other: Seen) {
    seen.withLock { seen in
      seen.lines.formUnion(other.lines)
      seen.operations.formUnion(other.operations)
      seen.replies.formUnion(other.replies)
      seen.faults.formUnion(other.faults)
      seen.actions.formUnion(other.actions)
      seen.cancels.formUnion(other.cancels)
      seen.overlaps.formUnion(other.overlaps)
      seen.settings.formUnion(other.settings)
      seen.hasLostConnection = seen.hasLostConnection || other.hasLostConnection
    }
  }

  /// What an execution in a process of its own has used comes back by this.
  var childPayload: ChildPayload {
    ChildPayload(
      pack: { (try? JSONEncoder().encode(self.total)) ?? Data() },
      unpack: { data in
        if let seen = try? JSONDecoder().decode(Seen.self, from: data) { self.add(seen) }
      },
      amount: { self.total.count })
  }

  /// The parts of `scenario` that no execution used, in the order of the file.
  func unused(in scenario: Scenario) -> [Unused] {
    let seen = total
    let offline =
      scenario.world.offline.isEmpty || seen.hasLostConnection
      ? [] : [Unused(name: OfflinePeriod.key, text: "no call ever met a time without a connection")]
    return scenario.world.entries.flatMap { unused($0, seen) } + offline
      + scenario.unusedLines(except: seen.lines)
  }

  private func unused(_ entry: WorldScript.Entry, _ seen: Seen) -> [Unused] {
    let operation = OperationName(fake: entry.fake, operation: entry.operation)
    let name = entry.name
    return (seen.operations.contains(operation) ? [] : [Unused(name: name, text: "\(name) was never called")])
      + entry.replies.filter { !seen.replies.contains(Decision(operation: operation, name: $0)) }
      .map { Unused(name: entry.name(of: $0), text: "\(name) never answered \($0)", within: name) }
      + entry.faults.filter { !seen.faults.contains(Decision(operation: operation, name: $0)) }
      .map { Unused(name: entry.name(of: $0), text: "\(name) never failed \($0)", within: name) }
  }
}

extension Usage.Seen {
  fileprivate mutating func countCalls() {
    for fake in fakes {
      for record in fake.calls { count(record, fake.name) }
    }
    fakes = []
  }

  private mutating func count(_ record: CallRecord, _ fake: String) {
    var hasAnswer = false
    if record.lostConnection {
      hasLostConnection = true
    } else if let outcome = record.outcome, outcome != .cancelled {
      hasAnswer = true
    }
    let kind = Usage.CallKind(
      fake: fake, operation: record.call.operation, reply: record.reply, fault: record.fault,
      hasAnswer: hasAnswer)
    if latest.contains(kind) { return }
    if latest.count == Usage.CallKind.mostKept { latest.removeFirst() }
    latest.append(kind)
    let operation = Usage.OperationName(fake: fake, operation: record.call.operation)
    operations.insert(operation)
    guard hasAnswer else { return }
    replies.insert(Usage.Decision(operation: operation, name: record.reply))
    faults.insert(Usage.Decision(operation: operation, name: record.fault.rawValue))
  }
}

extension Scenario {
  fileprivate func unusedLines(except performed: Set<Int>) -> [Unused] {
    script.indices.filter { !performed.contains($0) }.map { index in
      let text =
        switch script[index] {
        case .action(let line): "\(line.label ?? line.action) was never possible"
        case .cancel(let line) where line.at == .everywhere: "\(line.label) was never cancelled"
        case .cancel(let line): "there was never a \(line.label) to cancel"
        case .anything: "nothing was ever done"
        }
      return Unused(name: script[index].testedName, text: text)
    }
  }
}
