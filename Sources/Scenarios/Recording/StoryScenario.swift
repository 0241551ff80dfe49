import ScenarioFiles
import Simulator

/// A story that was found, as an ordinary scenario that a person can read.
struct StoryScenario {
  /// When the acts of the story come.
  enum Timing: CaseIterable {
    /// Each at the time at which it came.
    case fixed
    /// The first at its time, the others at any.
    case firstFixed
    /// Each at any time.
    case anytime
  }

  let finding: StoryFinding
  let story: ToldStory
  let descriptor: SystemDescriptor
  var timing = Timing.fixed
  /// What goes wrong, in words.
  var message = ""
  /// What each variant does.
  var outcomes: [(variant: String, outcome: Expectation.Outcome)] = []
  /// What the variants that hold rightly leave untested.
  var untested: [(variant: String, names: [String])] = []
  /// Schedules that show it.
  var tokens: [String] = []

  /// Plain, and as long as a name may be.
  var name: String {
    PlainName.made(of: "fuzz-\(descriptor.name)-\(finding.variant)-\(finding.invariant)")
  }

  /// The scenario as it stands in a file.
  var tree: JSONTree {
    var object = JSONTree.Builder()
    object.add("name", name)
    object.add(
      "about", StoryWords(story: story, descriptor: descriptor).text + (message.isEmpty ? "" : " \(message)"))
    object.add("system", descriptor.name)
    object.add("with", settings)
    object.add("world", StoryWorld(story: story, descriptor: descriptor).tree)
    object.add("script", story.acts.indices.map(line))
    object.add("check", check.map { [$0] })
    object.add("search", ["until": .string("\(finding.scenario.search.until)")] as JSONTree)
    object.add("expect", expect)
    object.add("untested", untested.isEmpty ? nil : members(untested.map { ($0, .strings($1)) }))
    object.add("replays", tokens.isEmpty ? nil : members([(finding.variant, .strings(tokens))]))
    return object.tree
  }

  private var expect: JSONTree {
    members(
      descriptor.variants.map { variant in
        switch outcomes.first(where: { $0.variant == variant.name })?.outcome {
        case .violates(let names): (variant.name, .strings(names))
        case .holds, .testsNothing, nil: (variant.name, "holds")
        }
      })
  }

  /// The invariant, unless it is checked without being asked.
  private var check: JSONTree? {
    guard let check = finding.scenario.checks.first(where: { $0.invariant == finding.invariant }) else {
      return nil
    }
    return check.parameter.map { members([(check.invariant, $0.tree)]) } ?? .string(check.invariant)
  }

  private var settings: JSONTree? {
    let changed = descriptor.settings.filter { story.settings[$0.name] != $0.defaultValue }
    return changed.isEmpty
      ? nil
      : members(
        changed.compactMap { setting in story.settings[setting.name].map { (setting.name, $0.tree) } })
  }

  private func line(_ index: Int) -> JSONTree {
    let act = story.acts[index]
    var object = JSONTree.Builder()
    if let begun = act.cancels {
      object.add("cancel", StoryWords.label(begun))
    } else {
      object.add("do", act.step.action)
      let parameters = descriptor.actions.first { $0.name == act.step.action }?.arguments ?? []
      for entry in act.step.arguments.entries {
        let isUsual = parameters.first { $0.name == entry.name }?.defaultValue == entry.value
        object.add(entry.name, isUsual ? nil : entry.value.tree)
      }
      object.add("as", story.acts.contains { $0.cancels == index } ? StoryWords.label(index) : nil)
    }
    object.add("at", time(of: index))
    return object.tree
  }

  private func time(of index: Int) -> String? {
    switch timing {
    case .fixed: break
    case .firstFixed where index == 0: break
    case .firstFixed, .anytime: return ScriptTime.anytimeText
    }
    let at = story.acts[index].at
    return at == .zero ? nil : "\(at)"
  }

  private func members(_ members: [(String, JSONTree)]) -> JSONTree {
    .object(members.map { JSONTree.Member(key: $0.0, value: $0.1) })
  }
}

/// A violation that a made-up story has shown.
struct StoryFinding: Equatable, Sendable {
  /// The scenario that made it up.
  let scenario: Scenario
  let variant: String
  let invariant: String
  let token: String
  /// The line that replays it.
  let replayCommand: String
}
