import Arguments
import Models
import SCTBench
import Simulator
import TwinPrograms
import Unseen

/// What the command line asks for.
struct Options {
  var set = ProgramSet.sct
  var seeds = 50
  var cap = 2_000
  var filter: String?
  /// Whether strategies are measured alone too.
  var alone = false
  var help = false

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--programs": set = try ProgramSet(named: arguments.value(of: option))
      case "--seeds": seeds = try arguments.count(of: option, from: 2)
      case "--cap": cap = try arguments.count(of: option, from: 1)
      case "--filter": filter = try arguments.value(of: option)
      case "--alone": alone = true
      case "--help", "-h": help = true
      default: throw .unknown(option)
      }
    }
  }

  static let usage = """
    usage: ablation-table [--programs sct|sct-threads|unseen|models] [--seeds N] [--cap SCHEDULES] [--filter TEXT]
                          [--alone]

      --programs SET    the two ports of SCTBench, small programs, or models in the manner of apps (default sct)
      --seeds N         trials of each program with each strategy (default 50)
      --cap SCHEDULES   at most so many a trial (default 2000); a trial that finds nothing counts as so many
      --filter TEXT     only programs whose name contains it
      --alone           also the search by feedback, the random walk and SURW, each alone

    Prints means with 95 % intervals, then the geometric means of the ratios with theirs, apart for the programs that have
    values open besides the order of steps: there the portfolio has another rotation.
    """
}

/// A set of programs.
enum ProgramSet: String, CaseIterable {
  case sct
  case sctThreads = "sct-threads"
  case unseen
  case models

  init(named name: String) throws(OptionError) {
    guard let set = ProgramSet(rawValue: name) else {
      let all = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw .other("no set of programs is named \(name): \(all)")
    }
    self = set
  }

  /// What searches those whose names contain `filter`.
  func programs(_ filter: String?) -> [Explorer] {
    all.filter { explorer in filter.map { explorer.name.contains($0) } ?? true }
  }

  private var all: [Explorer] {
    switch self {
    case .sct: SCTProgram.all.map(\.explorer)
    // Of the others no bug shows in a build without the flag.
    case .sctThreads:
      SCTProgram.allOfThreads.filter { !$0.needsAtomics || Simulation.followsAtomics }.map(\.explorer)
    case .unseen: UnseenPrograms.all.map { $0.explorer(.seeded) }
    case .models: ModelPrograms.all.map { $0.explorer(.seeded) }
    }
  }
}

extension SCTProgram {
  fileprivate var explorer: Explorer {
    // No thread of others is awaited at a deadlock: there are none.
    Explorer(name: name, options: Simulation.Options(foreignThreadTimeout: .zero, steps: steps), body: body)
  }
}
