internal import CProcesses
internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

// The comparison of first executions, later executions, and executions in fresh processes.

extension Search {
  /// Reads the first execution, compares it with later ones, and decides where the search runs.
  mutating func prepareProcesses() {
    switch access {
    case .notAsked: if explorer.checksDeterminism { readFirstHere() }
    case .refused(let why):
      report.processes = .one(why: why)
      if explorer.checksDeterminism { readFirstHere() }
    case .granted(let fresh):
      if explorer.freshness == .everyExecution {
        searchInChildren(fresh)
      } else {
        readFirst(in: fresh)
      }
    }
  }

  /// Gives every execution from here on a process of its own.
  private mutating func searchInChildren(_ fresh: FreshProcesses, comparing: Bool = true) {
    runner.children = fresh
    report.processes = .eachFresh
    guard comparing, explorer.checksDeterminism else { return }
    guard let digests = naturalOrders(2)?.map(\.summary.digest) else { return }
    if digests[0] == digests[1] {
      naturalDigest = digests[0]
    } else {
      addDifference(observeNaturally(), observeNaturally())
    }
  }

  /// Runs three executions in a child to find out if the first is like the others. This process has not run the program yet.
  /// If they differ, the search leaves it that way.
  private mutating func readFirst(in fresh: FreshProcesses) {
    let look = firstLook(in: fresh)
    if look?.needOverlap == true {
      // With preemptible steps from the start, this process runs no execution that waits in the middle of a step, and keeps
      // nothing that such an execution leaves behind.
      raiseLevelAtOnce()
      return readFirst(in: fresh)
    }
    guard let look else {
      // The execution ended its process. It will end this one too, or be kept from that like any other execution.
      startFreshServer(fresh)
      return readFirstHere()
    }
    isLongByNature = look.digests.isEmpty
    if look.leavesMuch {
      searchInChildren(fresh, comparing: !isLongByNature)
    } else if isLongByNature {
      startFreshServer(fresh)
    } else if Set(look.digests).count == 1 {
      startFreshServer(fresh)
      compareAcrossProcesses(look.digests[0])
    } else {
      report.wouldKeepState = true
      report.warn("\(KeptState.isKept): each execution ran \(explorer.freshOrigin.text)")
      searchInChildren(fresh)
    }
  }

  /// Runs the natural order in this process for the first time, without counting it, and reports any difference from the other
  /// process. This initializes globals.
  private mutating func compareAcrossProcesses(_ digest: UInt64) {
    guard !runner.isOutOfTime, let outcome = naturalOrders(1)?.first else { return }
    guard outcome.summary.digest != digest else { return naturalDigest = digest }
    let now = observeNaturally()
    addDifference(
      freshServer?.observe(natural, number: 0, seed: explorer.seed, keepingEvents: true) ?? now, now)
  }

  private mutating func startFreshServer(_ fresh: FreshProcesses) {
    freshServer = FreshProcessServer(fresh, runner)
    let why = fresh.fault ?? "no child process could be started"
    report.processes = freshServer == nil ? .one(why: why) : .oneAndFresh
  }

  private func firstLook(in fresh: FreshProcesses) -> FirstLook? {
    let end = fresh.run { (try? JSONEncoder().encode(lookHere())) ?? Data() }
    switch end {
    case .answered(let data): return try? JSONDecoder().decode(FirstLook.self, from: data)
    // A step that never ends or that fills the memory would do the same here.
    case .died(let death) where death.isCostly && death.cause != .late: return FirstLook(leavesMuch: true)
    case .died, .lost: return nil
    }
  }

  /// Runs these executions. The child calls this.
  private func lookHere() -> FirstLook {
    let most = cp_memory(cp_self()) + explorer.processLimits.memory / 32
    var look = FirstLook()
    runner.isBrief = true
    _ = runner.with(Strategies.NaturalOrder()) {
      repeat {
        let outcome = runner.executeHere(0, seed: explorer.seed, keepingEvents: false, before: nil)
        look.leavesMuch = cp_memory(cp_self()) > most
        if outcome.isLong { return }
        look.digests.append(outcome.summary.digest)
      } while look.digests.count < 3 && !look.leavesMuch
    }
    look.needOverlap = runner.needsOverlap && !runner.overlaps
    return look
  }

  /// Runs the same three executions in this process, if there is no other. The first has the process to itself and counts:
  /// what only it shows is a violation.
  private mutating func readFirstHere() {
    let first = naturalOrder(keepingEvents: true)
    if isForWholeStepsOnly(first) {
      raiseLevelAtOnce()
      return readFirstHere()
    }
    guard !addEscape(in: first), !first.isLong, let later = naturalOrders(2) else { return }
    let digests = later.map(\.summary.digest)
    guard digests[0] == digests[1] else { return addDifference(observeNaturally(), observeNaturally()) }
    naturalDigest = digests[0]
    guard first.summary.digest != digests[0] else { return }
    report.keepsState = true
    let known = later[0].execution?.violations.map(\.invariant) ?? []
    let violations = first.execution?.violations.filter { !known.contains($0.invariant) } ?? []
    if !violations.isEmpty { count(first) }
    for var violation in violations {
      violation.freshReplay = .onlyInFreshProcess
      violation.message += "; only the first execution of a process shows it: \(KeptState.hides)"
      report.add(violation)
    }
  }

  /// Reads the natural order again, at another level of steps: something that waited forever may get its answer now. So once
  /// more it is the first execution that initializes globals.
  mutating func readAgain() {
    guard naturalDigest != nil else { return }
    naturalDigest = nil
    readFirstHere()
  }

  /// Compares the execution that has just run with the same schedule in a fresh process. What an execution leaves behind may
  /// show only under schedules other than the natural order, and may hide what the first execution of a process would do.
  /// Compares the first schedules, and fewer and fewer after them.
  mutating func compareWithFresh(_ summary: Strategies.ExecutionSummary) {
    guard explorer.comparesWithFresh, runner.children == nil, report.violations.isEmpty, !hasBeenCostly,
      report.schedules <= Self.firstCompared || report.schedules.nonzeroBitCount == 1, !runner.isOutOfTime,
      let inFresh = freshServer?.observe(runner.schedule, number: number - 1, seed: explorer.seed),
      inFresh.trace.digest != summary.digest, differenceByAddress(inFresh) == nil
    else { return }
    report.isToBeMadeFresh = true
  }

  private static let firstCompared = 4

  /// Runs the natural order once more as the search ends, which shows what has been kept meanwhile.
  mutating func compareAgain() {
    guard let naturalDigest, report.schedules > 0, !runner.isToStop, !runner.isOutOfTime, !hasBeenCostly,
      !report.keepsState,
      !report.hasViolation(of: Invariant.BuiltIn.nondeterminism),
      !report.hasViolation(of: Invariant.BuiltIn.escape)
    else { return }
    guard naturalOrder().summary.digest != naturalDigest else { return }
    let now = observeNaturally()
    let before = freshServer?.observe(natural, number: 0, seed: explorer.seed, keepingEvents: true)
    // A fresh process still does what the first one did, so the findings stand on their own.
    if let before, before.trace.digest == naturalDigest, !report.violations.isEmpty {
      report.keepsState = true
      return
    }
    addDifference(before ?? now, now)
    report.note(kept: KeptState.atEnd, in: Invariant.BuiltIn.nondeterminism)
  }

  private func naturalOrder(keepingEvents: Bool = false) -> Runner.Outcome {
    runner.with(Strategies.NaturalOrder()) {
      runner.execute(0, seed: explorer.seed, keepingEvents: keepingEvents)
    }.result
  }

  /// Runs the natural order `count` times; nil as soon as work escapes, which is then all that the search reports.
  private mutating func naturalOrders(_ count: Int) -> [Runner.Outcome]? {
    var outcomes: [Runner.Outcome] = []
    for _ in 0..<count {
      let outcome = naturalOrder()
      if addEscape(in: outcome) { return nil }
      outcomes.append(outcome)
    }
    return outcomes
  }

  /// The natural order at the level of steps that the search has reached.
  var natural: Schedule { Schedule(choices: [], hasPreemptibleSteps: runner.overlaps) }

  private func observeNaturally() -> Simulation.Execution {
    runner.with(Strategies.NaturalOrder()) { runner.observe(0, seed: explorer.seed) }.result
  }
}

// MARK: - Violations

extension Search {
  /// Returns `violation`, shrunk if possible, with what the schedule that found it shows in a fresh process.
  mutating func judged(
    _ violation: Invariant.Violation, of found: Simulation.Execution, _ movedInFresh: Simulation.Execution?
  ) -> Invariant.Violation {
    guard violation.isReducible else { return violation }
    if runner.children != nil {
      var smaller = reduced(violation, of: found)
      smaller.freshReplay = .shown
      return smaller
    }
    guard let movedInFresh else { return reduced(violation, of: found) }
    guard movedInFresh.trace.digest != found.trace.digest else {
      return confirmed(reduced(violation, of: found), or: violation)
    }
    let inFresh = freshServer?.observe(found.schedule, number: number - 1, seed: explorer.seed)
    return differenceByAddress(inFresh ?? movedInFresh, under: found) ?? unshrunk(violation, movedInFresh)
  }

  /// Returns `violation` as a fresh process shows it under the same schedule, or notes in it that none does.
  private mutating func unshrunk(
    _ violation: Invariant.Violation, _ inFresh: Simulation.Execution
  ) -> Invariant.Violation {
    report.keepsState = true
    guard var shown = inFresh.violations.first(where: { $0.invariant == violation.invariant }) else {
      var kept = violation
      kept.freshReplay = .notShown
      kept.message += "; not \(explorer.freshOrigin.text): \(KeptState.decides)"
      return kept
    }
    let told = freshServer?.observe(
      inFresh.schedule, number: violation.number, seed: explorer.seed, keepingEvents: true)
    shown = told?.violations.first { $0.invariant == violation.invariant } ?? shown
    report.warn("not shrunk: \(shown.invariant) as a fresh process shows it, which this one no longer is")
    shown.freshReplay = .shown
    return shown
  }

  /// Judges a schedule that did something else when it was replayed. If two fresh processes agree on it, the cause is the state
  /// kept between executions. Otherwise the program does not repeat itself.
  mutating func compare(
    _ found: Simulation.Execution, _ again: Simulation.Execution, _ invariants: [String]
  ) {
    let fresh = [0, 1].compactMap { _ in
      freshServer?.observe(found.schedule, number: number - 1, seed: explorer.seed)
    }
    let escapes = (found.violations + again.violations).contains { $0.invariant == Invariant.BuiltIn.escape }
    guard fresh.count == 2, fresh[0].trace.digest == fresh[1].trace.digest, !escapes,
      differenceByAddress(fresh[0], under: found) == nil
    else {
      return addDifference(found, again)
    }
    for violation in found.violations where invariants.contains(violation.invariant) {
      report.add(unshrunk(violation, fresh[0]))
    }
  }

  /// Returns `smaller` if a fresh process shows it too, otherwise `violation` as found, which a fresh process does show.
  private func confirmed(
    _ smaller: Invariant.Violation, or violation: Invariant.Violation
  ) -> Invariant.Violation {
    let isSame =
      smaller.token == violation.token
      || freshServer?.observe(
        smaller.token.schedule, number: smaller.number, seed: explorer.seed, moved: 2)?.trace
        .digest
        == smaller.trace.digest
    var known = isSame ? smaller : violation
    known.freshReplay = .shown
    return known
  }
}

// MARK: - Nondeterminism

extension Search {
  func nondeterminism(
    _ first: Simulation.Execution, _ second: Simulation.Execution, isOfAddress: Bool = false
  ) -> Invariant.Violation {
    Invariant.Violation(
      invariant: Invariant.BuiltIn.nondeterminism, diagnosis: .nondeterminism,
      message: isOfAddress
        ? Explorer.Divergence.elsewhere(first, second)
        : Explorer.Divergence.between(first, second, again: replayed(first, as: number)),
      time: second.endTime, step: second.steps,
      number: number, token: first.token, trace: second.trace)
  }
}

/// The phrases for state that a program keeps from one execution to the next.
enum KeptState {
  private static let kinds = "a global, a static, a lazy value"
  static let isKept = "the program keeps state from one execution to the next (\(kinds))"
  static let hides = "what it leaves behind (\(kinds)) hides it from later ones"
  static let decides = "what an earlier execution left behind (\(kinds)) decides"
  static let atEnd = "the natural order is no longer what it was when the search began"
}
