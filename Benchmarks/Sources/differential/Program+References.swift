import Simulator
import SimulatorStrategies

extension Program {
  /// The program number `number` of those in which tasks look at objects by `weak` references.
  init(referringNumber number: UInt64) {
    var random = Strategies.SplitMix64(seed: number, stream: 13)
    var program: Program
    repeat {
      let palette = [8, 8, 9, 9, 10, 11, 11] + (0..<2 + random.below(3)).map { _ in random.below(8) }
      let kinds = [8 + random.below(4)] + (0..<3).map { _ in palette[random.below(palette.count)] }
      var drawer = TaskDrawer(random, kinds: kinds, Self.kindWithObjects)
      program = drawer.program(number)
      random = drawer.random
    } while program.operations > 7
    program.hasObjects = true
    self = program
  }

  /// An outcome as it is where no result is freed late; the same one for any other program.
  func compared(_ outcome: String) -> String {
    hasObjects ? outcome.replacing("A", with: "G") : outcome
  }

  private static func kindWithObjects(
    _ drawer: inout TaskDrawer, _ number: Int, _ depth: Int
  ) -> Program.Kind {
    let two = drawer.random.below(2)
    switch number {
    case 0: return .read(cell: two)
    case 1: return .add(cell: two)
    case 2: return .note("\(drawer.task)")
    case 3: return .cancel(task: drawer.other)
    case 4: return .isCancelled
    case 5: return .yield
    case 6 where depth < 2: return .child(drawer.body(1, depth: depth + 1), isAwaited: true)
    case 7 where depth < 2: return .group(.all, [drawer.body(1, depth: depth + 1)])
    case 8: return .see(object: two)
    case 9: return .drop(object: two)
    case 10 where depth < 2: return .hold(object: two, drawer.body(2, depth: depth + 1))
    case 11: return .result(isError: two == 1)
    default: return .look
    }
  }
}
