import Arguments

/// What the command line asks for.
struct Options {
  var programs = 200
  var from: UInt64 = 1
  var real = 300
  var schedules = 3_000
  var directed = 12
  var attempts = 100
  var kind = Kind.tasks
  var shrinks = true
  var verbose = false
  var help = false

  /// What the programs are made of.
  enum Kind {
    case tasks, instants, draws, locks, queues, operations, references

    func program(_ number: UInt64) -> Program {
      switch self {
      case .tasks: Program(number: number)
      case .instants: Program(instantNumber: number)
      case .draws: Program(drawingNumber: number)
      case .locks: Program(lockedNumber: number)
      case .queues: Program(queuedNumber: number)
      case .operations: Program(operationNumber: number)
      case .references: Program(referringNumber: number)
      }
    }
  }

  static let usage = """
    usage: differential [--programs N] [--seed N] [--real RUNS] [--schedules N] [--directed N] [--attempts N]
                        [--instants | --draws | --locks | --queues | --operations | --references] [--no-shrinking]
                        [--verbose]

      --programs N     how many programs are drawn (default 200)
      --seed N         the number of the first program (default 1); a program is a function of its number
      --real RUNS      real runs of each program with random pauses (default 300; a tenth where timers count, unless they coincide)
      --schedules N    schedules of each program that the reduced search may take (default 3000)
      --directed N     simulated outcomes of each program that, not seen so far, are brought about for real by holding
                       threads back in the order of the simulation (default 12, drawn by chance)
      --attempts N     how often that is tried (default 100)
      --instants       programs whose sleeps, deadlines and cancels fall on one instant
      --draws          programs that ask for random numbers
      --locks          programs whose tasks share locks and block for a semaphore, and atomics where the build flag lets a
                       simulation follow them, at the level at which steps overlap
      --queues         programs of queues, threads, semaphores and locks, at the same level
      --operations     programs of operation queues, at the same level
      --references     programs that look at objects by `weak` references
      --no-shrinking   show a program with a fault as it was drawn only
      --verbose        a line for each program

    Exit status: 0 all as it must be, 1 a program has a fault, 2 the command line is wrong.
    """

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--programs": programs = try arguments.count(of: option)
      case "--seed": from = UInt64(try arguments.count(of: option))
      case "--real": real = try arguments.count(of: option)
      case "--schedules": schedules = try arguments.count(of: option)
      case "--directed": directed = try arguments.count(of: option)
      case "--attempts": attempts = try arguments.count(of: option)
      case "--instants": kind = .instants
      case "--draws": kind = .draws
      case "--locks": kind = .locks
      case "--queues": kind = .queues
      case "--operations": kind = .operations
      case "--references": kind = .references
      case "--no-shrinking": shrinks = false
      case "--verbose": verbose = true
      case "--help", "-h": help = true
      default: throw .unknown(option)
      }
    }
  }
}
