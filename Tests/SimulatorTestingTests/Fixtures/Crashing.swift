import Foundation
import Simulator
import SimulatorStrategies
import SimulatorTesting
import Testing

/// Tests in which some schedules end their process.
@Suite(.enabled(if: Fixtures.areEnabled)) struct Crashing {
  /// Which of two the schedule decides; `false` is natural.
  private var isUnlucky: Bool { Simulation.current?.choose(among: [false, true]) ?? false }

  /// What every test of the suite keeps, which no file could hand to another process.
  private let kept = Flag()

  @Test(.simulated) func fatal() async throws {
    if isUnlucky { fatalError("the cart is gone") }
  }

  @Test(.simulated) func failedPrecondition() async throws {
    let account = Account()
    async let first: Void = account.withdraw(70)
    async let second: Void = account.withdraw(70)
    _ = await (first, second)
    let balance = await account.balance
    precondition(balance >= 0, "never overdrawn")
  }

  @Test(.simulated) func outOfRange() async throws {
    let seats = [1, 2]
    #expect(seats[isUnlucky ? 2 : 1] > 0)
  }

  @Test(.simulated) func unwrapped() async throws {
    let name: String? = isUnlucky ? nil : "Ada"
    #expect(name!.count == 3)
  }

  @Test(.simulated) func exits() async throws {
    if isUnlucky { exit(3) }
  }

  @Test(.simulated) func resumedTwice() async throws {
    let isUnlucky = isUnlucky
    let box = Reply()
    async let answer = box.answer()
    await Task.yield()
    await box.deliver()
    if isUnlucky { await box.giveUp() }
    _ = await answer
  }

  @Test(.simulated, arguments: [1, 2, 3]) func argument(number: Int) async throws {
    if number == 2, isUnlucky { fatalError("number \(number)") }
  }

  @Test(.simulated) func failsBeforeItDies() async throws {
    let isUnlucky = isUnlucky
    #expect(!isUnlucky, "told before")
    await Task.yield()
    if isUnlucky { fatalError("told after") }
  }

  @Test(.simulated) func passes() async throws { await Task.yield() }

  @Test(.simulated) func seesItsSuite() async throws {
    kept.set()
    #expect(kept.isSet)
  }

  @Test(.simulated(schedules: 4)) func printed() async throws {
    _ = (Simulation.current?.choose(among: [false, true]), print("a line of the body"))
  }

  @Test func isOrdinary() async throws { await Task.yield() }

  @Test(.simulated(replaying: Fixtures.token), .enabled(if: !Fixtures.token.isEmpty)) func replayedCrash()
    async throws
  {
    if isUnlucky { fatalError("the cart is gone") }
  }
}

/// A reply that may come twice.
private actor Reply {
  private var waiting: CheckedContinuation<Int, Never>?

  func answer() async -> Int {
    await withCheckedContinuation { waiting = $0 }
  }

  func deliver() {
    waiting?.resume(returning: 1)
  }

  func giveUp() {
    waiting?.resume(returning: 2)
  }
}

extension Crashing {
  @Test(.simulated(schedules: 4)) func wroteToItsErrors() async throws {
    _ = Simulation.current?.choose(among: [false, true])
    try FileHandle.standardError.write(contentsOf: Data("a line of its errors\n".utf8))
  }
}

/// Searches that take longer than they may.
@Suite(.enabled(if: Fixtures.areEnabled), .simulated(schedules: .max, strategy: Strategies.RandomWalk()))
struct Lasting {
  @Test(
    .simulated(schedules: .max, strategy: Strategies.RandomWalk(), timeBudget: .milliseconds(300)))
  func bounded() async throws { await Self.turns() }

  @Suite(.serialized, .timeBudget(.seconds(2))) struct Together {
    @Test func first() async throws { await Lasting.turns() }
    @Test func second() async throws { await Lasting.turns() }
  }

  fileprivate static func turns() async {
    async let one: Void = Task.yield()
    async let two: Void = Task.yield()
    _ = await (one, two)
  }
}

extension Crashing {
  @Test(.simulated) func resumedByEmptyCalls() async throws {
    let isUnlucky = isUnlucky
    let door = Door()
    async let pass: Void = door.wait()
    await Task.yield()
    await door.open()
    if isUnlucky { await door.slam() }
    try? await pass
  }

  @Test(.simulated) func resumedByResults() async throws {
    let isUnlucky = isUnlucky
    let desk = Desk()
    async let answer = desk.ask()
    await Task.yield()
    await desk.serve()
    if isUnlucky { await desk.refuse() }
    _ = try? await answer
  }

  @Test(.simulated) func failsAsItDies() async throws {
    let isUnlucky = isUnlucky
    #expect(!isUnlucky, "told in the same step")
    if isUnlucky { fatalError("told after") }
  }
}

private actor Door {
  private var waiting: CheckedContinuation<Void, any Error>?

  func wait() async throws {
    try await withCheckedThrowingContinuation { waiting = $0 }
  }

  func open() {
    waiting?.resume()
  }

  func slam() {
    waiting?.resume(throwing: CancellationError())
  }
}

private actor Desk {
  private var waiting: CheckedContinuation<String, any Error>?

  func ask() async throws -> String {
    try await withCheckedThrowingContinuation { waiting = $0 }
  }

  /// What the desk says, whoever asks.
  private var answer: Result<String, any Error> { .success("yes") }

  /// What it says when it is closed.
  private var refusal: Result<String, any Error> { .failure(CancellationError()) }

  func serve() {
    waiting?.resume(with: answer)
  }

  func refuse() {
    waiting?.resume(with: refusal)
  }
}

extension Crashing {
  @Test(.simulated) func printedAndFailed() async throws {
    let isUnlucky = isUnlucky
    print(isUnlucky ? "a line of the failing schedule" : "a line of another schedule")
    #expect(!isUnlucky)
  }
}

extension Crashing {
  @Test(.simulated) func severalLinesOnAThread() async throws {
    await withCheckedContinuation { continuation in
      Thread { [kept] in
        precondition(kept.isSet, "the cart is gone\nexit(0)")
        continuation.resume()
      }.start()
    }
  }

  @Test(.simulated) func recursesForEver() async throws {
    #expect(depth(below: 0) == 0)
  }

  private func depth(below level: Int) -> Int {
    level < 0 ? 0 : depth(below: level &+ 1) &+ 1
  }
}
