import ScenarioFiles

/// A story in words: what the user does, and what the world answers that is not usual.
struct StoryWords {
  let story: ToldStory
  let descriptor: SystemDescriptor

  /// `The user: save 1, save 2 before the first has ended. The world: the second store write fails torn.`
  var text: String {
    let settings = descriptor.settings.compactMap { setting -> String? in
      guard let value = story.settings[setting.name], value != setting.defaultValue else { return nil }
      return "\(setting.name) is \(value.shown)"
    }
    let user = story.acts.indices.map(act).joined(separator: ", ")
    let downtimes = story.downtimes.map { "there is no connection from \($0.from) on for \($0.length)" }
    let parts = [
      ("With: ", settings), ("The user: ", [user]),
      ("The world: ", downtimes + story.calls.indices.compactMap(call)),
    ]
    return parts.filter { !$1.isEmpty }.map { $0 + $1.joined(separator: "; ") + "." }.joined(separator: " ")
  }

  /// What a script calls the act with this number, counted from zero.
  static func label(_ index: Int) -> String {
    let words = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ]
    return index < words.count ? words[index] : "number-\(index + 1)"
  }

  private func act(_ index: Int) -> String {
    let act = story.acts[index]
    if let begun = act.cancels { return "cancel of the \(Self.label(begun))" }
    guard index > 0 else { return act.step.text }
    guard !act.during.isEmpty else { return "then \(act.step.text)" }
    let others = act.during.map { "the \(Self.label($0))" }.joined(separator: " and ")
    return "\(act.step.text) before \(others) \(act.during.count == 1 ? "has" : "have") ended"
  }

  private func call(_ index: Int) -> String? {
    let call = story.calls[index]
    let own = descriptor.fakes.first { $0.name == call.fake }?.operations.first { $0.name == call.operation }
    guard let own else { return nil }
    let usual = OperationScript.anything(of: own).everyCall
    let words = [
      call.arrivalDelay.flatMap { Self.isUsual($0, usual.arrivalDelay) ? nil : "takes \($0) to get there" },
      Self.isUsual(call.delay, usual.delay)
        ? nil : "takes \(call.delay)\(call.arrivalDelay == nil ? "" : " to come back")",
      call.spend == .zero ? nil : "keeps its caller busy for \(call.spend)",
      own.replies.isEmpty || call.reply == own.replies.first ? nil : "answers \(call.reply)",
      own.faults.isEmpty || call.fault == own.faults.first ? nil : "fails \(call.fault)",
      call.ignoresCancel ? "goes on when it is cancelled" : nil,
    ].compactMap(\.self)
    guard !words.isEmpty else { return nil }
    let like = story.calls.indices.filter {
      story.calls[$0].fake == call.fake && story.calls[$0].operation == call.operation
    }
    let number = like.count > 1 ? "the \(Self.label(like.firstIndex(of: index) ?? 0)) " : ""
    return "\(number)\(call.fake) \(call.operation) \(words.joined(separator: ", "))"
  }

  private static func isUsual(_ length: Nanoseconds, _ offer: TimeOffer?) -> Bool {
    guard case .alternatives(let lengths)? = offer else { return length == .zero }
    return length == lengths.first
  }
}
