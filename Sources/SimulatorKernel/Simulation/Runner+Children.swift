package import Foundation
internal import SimulatorCore

/// Makes children of this process, and collects what each leaves behind.
package protocol ChildProcesses: AnyObject {
  /// Runs `work` in a child. Returns the child's answer, or how it ended without one. With `isThorough` no effort is
  /// spared to make sure.
  func run(isThorough: Bool, _ work: () -> Data) -> ChildEnd
}

extension ChildProcesses {
  package func run(_ work: () -> Data) -> ChildEnd { run(isThorough: false, work) }
}

/// The way a child has ended.
package enum ChildEnd {
  case answered(Data)
  /// The child died within an execution.
  case died(Death)
  /// There was no child, or it ended between executions.
  case lost
}

/// State that an execution in a child changes in the process that searches, besides the strategy.
package struct ChildPayload: Sendable {
  /// In the child: returns what must be handed over.
  let pack: @Sendable () -> Data
  /// In the parent: takes it over.
  let unpack: @Sendable (Data) -> Void
  /// Returns the amount that must be handed over: a different number after an execution that has changed it.
  package let amount: @Sendable () -> Int

  package init(
    pack: @escaping @Sendable () -> Data, unpack: @escaping @Sendable (Data) -> Void,
    amount: @escaping @Sendable () -> Int
  ) {
    self.pack = pack
    self.unpack = unpack
    self.amount = amount
  }
}

extension Runner {
  /// The record that an execution in a child leaves behind for its parent.
  private struct Answer: Codable {
    let outcome: Outcome
    /// The log of calls to the strategy.
    let told: Data
    let choices: [Schedule.Choice]
    let offersCancels: Bool
    let childPayload: Data?
    let symbols: [Symbols.Learned]
  }

  /// Runs execution `number` in a child. If it ends the child, runs it once more up to that end. Returns nil if no
  /// child could run it.
  func execute(_ number: Int, seed: UInt64, keepingEvents: Bool, in children: any ChildProcesses) -> Outcome?
  {
    guard case .answered(let data) = answer(number, seed: seed, keepingEvents: keepingEvents, in: children),
      let answer = try? JSONDecoder().decode(Answer.self, from: data)
    else { return nil }
    recorder.executions += 1
    choicesElsewhere = answer.choices
    offersCancels = answer.offersCancels
    if let data = answer.childPayload { childPayload?.unpack(data) }
    Symbols.learn(answer.symbols)
    scheduler.chooser.tell(number, seed: seed, StrategyLog.entries(in: answer.told), answer.outcome.summary)
    return answer.outcome
  }

  /// Returns the answer of a child that runs execution `number`.
  private func answer(
    _ number: Int, seed: UInt64, keepingEvents: Bool, in children: any ChildProcesses
  ) -> ChildEnd {
    let end = children.run(isThorough: keepingEvents) {
      answer(number, seed: seed, keepingEvents: keepingEvents, before: nil)
    }
    guard case .died(var death) = end else { return end }
    while true {
      let end = children.run { answer(number, seed: seed, keepingEvents: keepingEvents, before: death) }
      // The child ends nevertheless, for example because an earlier step has corrupted the memory.
      guard case .died = end, let earlier = death.earlier else { return end }
      death = earlier
    }
  }

  /// In the child: runs execution `number` and returns the encoded answer.
  private func answer(_ number: Int, seed: UInt64, keepingEvents: Bool, before death: Death?) -> Data {
    let log = StrategyLog()
    Symbols.beginLearning()
    let outcome = scheduler.chooser.noting(in: log) {
      executeHere(number, seed: seed, keepingEvents: keepingEvents, before: death)
    }
    let answer = Answer(
      outcome: outcome, told: log.bytes, choices: scheduler.chooser.tape.choices,
      offersCancels: offersCancels,
      childPayload: childPayload?.pack(), symbols: Symbols.news)
    return (try? JSONEncoder().encode(answer)) ?? Data()
  }
}
