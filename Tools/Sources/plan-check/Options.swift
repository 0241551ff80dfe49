import Foundation
import PlanCheck

/// What the command was asked to do.
struct Options {
  enum Check: String, CaseIterable {
    case tree, sizes, unsafe, words, references, answers
  }

  private(set) var checks: [Check] = []
  private var package = "."
  private var plan: String?

  static let usage = """
    usage: plan-check [CHECK ...] [--package DIR] [--plan FILE]

    Compares a package with the plan in its Documentation/PLAN.md. Without a CHECK it makes all of them:
      tree         it draws the folders of Sources that there are
      sizes        no file and no function is too long, but for the exceptions that it lists
      unsafe       unsafe code stands only in the folders that it lists
      words        no identifier of the engine contains a word that it lists as replaced
      references   every file that a document or a comment names is there
      answers      each function by which a program can ask the system something has a row in Documentation/ANSWERS.md (reads
                   what is compiled, so build first; fails on another C library than the lists were made for where the
                   environment variable CI is set)

      --package DIR   the package; the current folder unless given
      --plan FILE     another file than Documentation/PLAN.md
    """

  init(_ arguments: some Sequence<String>) throws(Refusal) {
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--package": package = try Self.value(of: argument, in: &arguments)
      case "--plan": plan = try Self.value(of: argument, in: &arguments)
      default:
        guard let check = Check(rawValue: argument) else {
          throw Refusal("unknown argument “\(argument)”\n\n\(Self.usage)")
        }
        checks.append(check)
      }
    }
    if checks.isEmpty { checks = Check.allCases }
  }

  private static func value(of option: String, in arguments: inout ArraySlice<String>) throws(Refusal)
    -> String
  {
    guard let value = arguments.popFirst() else { throw Refusal("\(option) needs a value\n\n\(usage)") }
    return value
  }

  func run(_ check: Check) throws(Refusal) -> Outcome {
    let path = plan ?? "\(package)/Documentation/PLAN.md"
    guard let document = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Refusal("\(path) cannot be read")
    }
    let sources = try Sources(package: package)
    switch check {
    case .tree: return try TreeCheck(sources: sources, plan: document).outcome()
    case .sizes: return try SizeCheck(sources: sources, plan: document).outcome()
    case .unsafe: return try UnsafeCheck(sources: sources, plan: document).outcome()
    case .words: return try WordCheck(sources: sources, plan: document).outcome()
    case .references: return try ReferenceCheck(package: package).outcome()
    case .answers: return try answers()
    }
  }

  private func answers() throws(Refusal) -> Outcome {
    let path = "\(package)/Documentation/ANSWERS.md"
    guard let document = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Refusal("\(path) cannot be read")
    }
    return AnswerCheck(
      document: document,
      installed: try AnswerCheck.Installed(objects: "\(package)/.build/debug/CConcurrencyHooks.build"),
      isStrict: ProcessInfo.processInfo.environment["CI"] != nil
    ).outcome()
  }
}
