package import Foundation

/// Makes children of this process, and hands over what each leaves behind.
protocol ChildProcesses: AnyObject {
  /// Runs `work` in a child; its answer, or how it came to its end without one. With `isThorough` nothing is spared to make
  /// sure.
  func run(isThorough: Bool, _ work: () -> Data) -> ChildEnd
}

extension ChildProcesses {
  func run(_ work: () -> Data) -> ChildEnd { run(isThorough: false, work) }
}

/// How a child has ended.
enum ChildEnd {
  case answered(Data)
  /// Within an execution.
  case died(Death)
  /// There was no child, or it ended between executions.
  case lost
}

/// What an execution in a child changes in the process that searches, besides what the search is told.
package struct Baggage: Sendable {
  /// In the child: what is to be handed over.
  let pack: @Sendable () -> Data
  /// In the parent: takes it.
  let unpack: @Sendable (Data) -> Void
  /// How much there is to be handed over: another number after an execution that has changed it.
  let amount: @Sendable () -> Int

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
  /// What an execution in a child leaves behind.
  private struct Answer: Codable {
    let outcome: Outcome
    /// What the strategy was told.
    let told: Data
    let choices: [Schedule.Choice]
    let offersCancels: Bool
    let baggage: Data?
    let symbols: [Symbols.Learned]
  }

  /// Runs execution `number` in a child, and once more, up to its end, if it ends the child. Nil where no child could
  /// run it.
  func execute(_ number: Int, seed: UInt64, keepingEvents: Bool, in children: any ChildProcesses) -> Outcome?
  {
    guard case .answered(let data) = answer(number, seed: seed, keepingEvents: keepingEvents, in: children),
      let answer = try? JSONDecoder().decode(Answer.self, from: data)
    else { return nil }
    recorder.executions += 1
    choicesElsewhere = answer.choices
    offersCancels = answer.offersCancels
    if let data = answer.baggage { baggage?.unpack(data) }
    Symbols.learn(answer.symbols)
    scheduler.chooser.tell(number, seed: seed, StrategyLog.entries(in: answer.told), answer.outcome.summary)
    return answer.outcome
  }

  /// The answer of a child that runs execution `number`.
  private func answer(
    _ number: Int, seed: UInt64, keepingEvents: Bool, in children: any ChildProcesses
  ) -> ChildEnd {
    let end = children.run(isThorough: keepingEvents) {
      answer(number, seed: seed, keepingEvents: keepingEvents, before: nil)
    }
    guard case .died(var death) = end else { return end }
    while true {
      let end = children.run { answer(number, seed: seed, keepingEvents: keepingEvents, before: death) }
      // It ends all the same, as where a step before has spoiled the memory.
      guard case .died = end, let earlier = death.earlier else { return end }
      death = earlier
    }
  }

  /// In the child.
  private func answer(_ number: Int, seed: UInt64, keepingEvents: Bool, before death: Death?) -> Data {
    let log = StrategyLog()
    Symbols.beginLearning()
    let outcome = scheduler.chooser.noting(in: log) {
      executeHere(number, seed: seed, keepingEvents: keepingEvents, before: death)
    }
    let answer = Answer(
      outcome: outcome, told: log.bytes, choices: scheduler.chooser.tape.choices,
      offersCancels: offersCancels,
      baggage: baggage?.pack(), symbols: Symbols.news)
    return (try? JSONEncoder().encode(answer)) ?? Data()
  }
}
