import Arguments
import Foundation
import Litmus
import Simulator

/// What the command line asks for.
struct Options {
  var real = 2_000
  var simulated = 10_000
  var overlapping = 0
  var searched = 0
  var filter: String?
  var theme: String?
  var silent = false
  var markdown: String?
  var help = false

  static let usage = """
    usage: litmus-table [--real RUNS] [--simulated SCHEDULES] [--overlapping SCHEDULES] [--searched SCHEDULES]
                        [--filter GLOB] [--theme TEXT] [--silent] [--markdown FILE]

      --real RUNS            runs of each program on the real runtime (default 2000; a fiftieth of it where timers
                             count; 0 for none)
      --simulated SCHEDULES  random schedules of each program in simulation (default 10000; 0 for none)
      --overlapping SCHEDULES  as many random schedules in which steps overlap, and as many depth first (default 0 for none);
                             programs of atomics only in a build with -Xswiftc -Xfrontend -Xswiftc -sanitize=thread
      --searched SCHEDULES   also the reduced and the depth-first search of each program, each up to so many schedules:
                             whatever has come to its end must show the same outcomes (default 0 for none)
      --filter GLOB          only programs whose name matches; * and ? are wild
      --theme TEXT           only themes whose name contains it
      --silent               only programs with one outcome
      --markdown FILE        also write the table to FILE
      --help                 print this

    Exit status: 0 all outcomes legal, 1 an outcome illegal or missed or a search at odds with another, 2 the command
    line is wrong.
    """

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--real": real = try arguments.count(of: option)
      case "--simulated": simulated = try arguments.count(of: option)
      case "--overlapping": overlapping = try arguments.count(of: option)
      case "--searched": searched = try arguments.count(of: option)
      case "--filter": filter = try arguments.value(of: option)
      case "--theme": theme = try arguments.value(of: option)
      case "--silent": silent = true
      case "--markdown": markdown = try arguments.value(of: option)
      case "--help", "-h": help = true
      default: throw .unknown(option)
      }
    }
    if !help, !LitmusTheme.all.contains(where: { theme in theme.programs.contains { wants($0, of: theme) } })
    {
      throw .other("no program has such a name")
    }
  }

  /// The command that repeats this run, from the folder of the package.
  var command: String {
    #if DEBUG
      var (build, folder) = ("swift run", ".build/debug")
    #else
      var (build, folder) = ("swift run -c release", ".build/release")
    #endif
    if Simulation.followsAtomics {
      build += " --scratch-path .build-instrumented -Xswiftc -Xfrontend -Xswiftc -sanitize=thread"
      folder = folder.replacing(".build", with: ".build-instrumented")
    }
    let delays = ProcessInfo.processInfo.environment["LD_PRELOAD"]?.hasSuffix("libDelays.so") ?? false
    let delayed = "LD_PRELOAD=\(folder)/libDelays.so \(folder)/litmus-table"
    var words = [delays ? delayed : "\(build) litmus-table"]
    words += ["--real \(real)", "--simulated \(simulated)"]
    if overlapping > 0 { words.append("--overlapping \(overlapping)") }
    if searched > 0 { words.append("--searched \(searched)") }
    if let filter { words.append("--filter '\(filter)'") }
    if let theme { words.append("--theme '\(theme)'") }
    if silent { words.append("--silent") }
    if let markdown { words.append("--markdown \(markdown)") }
    return words.joined(separator: " ")
  }

  func wants(_ litmus: Litmus, of part: LitmusTheme) -> Bool {
    (theme.map { part.name.contains($0) } ?? true) && (!silent || litmus.isSilent)
      && (filter.map { matches(litmus.name[...], $0[...]) } ?? true)
  }
}

private func matches(_ name: Substring, _ glob: Substring) -> Bool {
  guard let head = glob.first else { return name.isEmpty }
  if head == "*" {
    return matches(name, glob.dropFirst()) || !name.isEmpty && matches(name.dropFirst(), glob)
  }
  return !name.isEmpty && (head == "?" || head == name.first) && matches(name.dropFirst(), glob.dropFirst())
}
