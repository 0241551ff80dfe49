import Simulator
import SimulatorStrategies

extension Program {
  /// The program number `number` of those that ask for random numbers.
  init(drawingNumber number: UInt64) {
    var drawer = CoinDrawer(number)
    var program = drawer.program(number)
    while !(1...3).contains(program.coins.count) || program.operations > 7 {
      program = drawer.program(number)
    }
    self = program
  }

  /// Whether a run draws random numbers.
  var isRandom: Bool { draws == nil && !coins.isEmpty }

  /// The operations that ask for a random number.
  private var coins: [Int] {
    func coins(_ body: Body) -> [Int] {
      body.operations.flatMap { operation in
        (operation.kind.draws ? [operation.id] : []) + operation.kind.bodies.flatMap(coins)
      }
    }
    return tasks.flatMap(coins)
  }

  /// The same with each number that it may draw.
  var withAllDraws: [Program] {
    let coins = coins
    return (0..<1 << coins.count).map { number in
      var program = self
      program.draws = Dictionary(
        uniqueKeysWithValues: coins.enumerated().map { ($0.element, number >> $0.offset & 1 == 1) })
      return program
    }
  }
}

/// Draws the programs: their tasks ask for random numbers, and act on them.
private struct CoinDrawer {
  private var random: Strategies.SplitMix64

  init(_ number: UInt64) { random = Strategies.SplitMix64(seed: number, stream: 11) }

  mutating func program(_ number: UInt64) -> Program {
    let kinds = [9 + random.below(3)] + (0..<2 + random.below(3)).map { _ in random.below(12) }
    var drawer = TaskDrawer(random, kinds: kinds, Self.kind)
    let program = drawer.program(number)
    random = drawer.random
    return program
  }

  private static func kind(_ drawer: inout TaskDrawer, _ number: Int, _ depth: Int) -> Program.Kind {
    let two = drawer.random.below(2)
    let coin = Program.Coin.allCases[drawer.random.below(3)]
    switch number {
    case 0: return .read(cell: two)
    case 1: return .set(cell: two, 1 + drawer.random.below(9))
    case 2: return .increment(cell: two)
    case 3: return .note("\(drawer.task)")
    case 4: return .look
    case 5: return .cancel(task: drawer.other)
    case 6: return .isCancelled
    case 7: return .yield
    case 8 where depth < 2: return .child(drawer.body(1, depth: depth + 1), isAwaited: true)
    case 9, 10: return .flip(coin)
    case 11 where depth < 2:
      return .branch(coin, [drawer.body(1, depth: depth + 1), drawer.body(1, depth: depth + 1)])
    default: return .add(cell: two)
    }
  }
}
