import Simulator
public import TwinPrograms

/// Programs whose bug needs two things at the very same instant. Each is there three times: with its times as they must be, with
/// one time as a range that contains that instant, and with two. A range is what people write.
public enum Coincidences {
  /// Every program, those with the same bug one after the other.
  public static let all: [TwinProgram] = [TwinProgram.picture, TwinProgram.timeout, TwinProgram.logOut]
    .flatMap { make in
      Times.allCases.map(make)
    }
}

/// How many of the times of a program are ranges.
enum Times: String, CaseIterable {
  case written
  case oneRange = "one range"
  case twoRanges = "two ranges"

  /// Waits until the reply, which arrives at `instant` or in a range around it.
  func reply(at instant: Duration) async throws {
    switch self {
    case .written: try await Task.sleep(for: instant)
    case .oneRange, .twoRanges: try await Simulation.sleep(in: .milliseconds(10)...(instant * 2))
    }
  }

  /// Waits until the other thing that happens, at `instant` or in a range around it.
  func other(at instant: Duration) async throws {
    switch self {
    case .written, .oneRange: try await Task.sleep(for: instant)
    case .twoRanges: try await Simulation.sleep(in: .milliseconds(100)...(instant * 3))
    }
  }
}

extension TwinProgram {
  /// A cell is reused at the moment when its image arrives.
  static func picture(_ times: Times) -> TwinProgram {
    TwinProgram(
      "picture, \(times.rawValue)", "a main-actor model, cancellation",
      bug: "An image that arrives as the cell is reused is shown in its place.", deviations: 1
    ) { simulation, twin in
      let cell = await Cell(times, twin)
      await cell.load("cat")
      await Task.yield()
      try await times.other(at: .seconds(1))
      await cell.reuse()
      await cell.task?.value
      if await cell.shown != nil { simulation.fail("a reused cell is empty", "it shows the old image") }
    }
  }

  /// A request ends at the moment of its timeout.
  static func timeout(_ times: Times) -> TwinProgram {
    TwinProgram(
      "timeout, \(times.rawValue)", "a group, an actor, cancellation",
      bug: "What the user is shown as timed out is saved.", deviations: 1
    ) { simulation, twin in
      let ledger = Ledger()
      let isTimedOut = await pay(ledger, times, twin)
      if isTimedOut, await ledger.payments > 0 { simulation.fail("what timed out is not saved", "it is") }
    }
  }

  /// The user logs out at the moment when a new token arrives, and a heartbeat makes other instants.
  static func logOut(_ times: Times) -> TwinProgram {
    TwinProgram(
      "log out, \(times.rawValue)", "an actor, timers, cancellation",
      bug: "A token that arrives as the user logs out is kept.", deviations: 1
    ) { simulation, twin in
      let session = Session()
      let refresh = Task { try await session.refresh(times, twin) }
      for _ in 0..<3 { await Task.yield() }
      let heartbeat = Task { for _ in 0..<6 { try await Task.sleep(for: .milliseconds(300)) } }
      try await times.other(at: .seconds(1))
      refresh.cancel()
      await session.logOut()
      _ = await (refresh.result, heartbeat.result)
      if await session.token != nil {
        simulation.fail("no token is left after the user has logged out", "there is one")
      }
    }
  }
}

@MainActor private final class Cell {
  private(set) var shown: String?
  private(set) var task: Task<Void, Never>?
  private let times: Times
  private let twin: TwinProgram.Twin

  init(_ times: Times, _ twin: TwinProgram.Twin) {
    (self.times, self.twin) = (times, twin)
  }

  func load(_ name: String) {
    task = Task {
      guard (try? await times.reply(at: .seconds(1))) != nil else { return }
      if twin == .mended, Task.isCancelled { return }
      shown = name
    }
  }

  func reuse() {
    task?.cancel()
    shown = nil
  }
}

private actor Ledger {
  private(set) var payments = 0
  private var isClosed = false

  func save() throws {
    if isClosed { throw CancellationError() }
    payments += 1
  }

  /// Saves nothing from now on. Returns true if nothing has been saved.
  func close() -> Bool {
    isClosed = true
    return payments == 0
  }
}

private struct TimedOut: Error {}

/// Returns true if the user is shown that the payment has timed out.
private func pay(_ ledger: Ledger, _ times: Times, _ twin: TwinProgram.Twin) async -> Bool {
  do {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await times.reply(at: .seconds(1))
        try await ledger.save()
      }
      group.addTask {
        try await times.other(at: .seconds(1))
        await Task.yield()
        throw TimedOut()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    return false
  } catch {
    return twin == .mended ? await ledger.close() : true
  }
}

private actor Session {
  private(set) var token: String?

  func refresh(_ times: Times, _ twin: TwinProgram.Twin) async throws {
    try await times.reply(at: .seconds(1))
    if twin == .mended { try Task.checkCancellation() }
    token = "new"
  }

  func logOut() { token = nil }
}
