/// What is checked in every execution, without being asked.
struct BuiltInCheck: Hashable, Sendable {
  let name: String
  let summary: String
  /// Whether `check` may name it too, where a reader would miss it otherwise.
  var mayBeListed = false

  static let all = [
    BuiltInCheck(name: "deadlock", summary: "Nothing can run any more, and the program has not returned."),
    BuiltInCheck(name: "livelock", summary: "The program takes more steps than it may, and gets nowhere."),
    BuiltInCheck(
      name: "nothing-outlives", summary: "No task is still alive when the execution ends.", mayBeListed: true),
    BuiltInCheck(name: "continuation-resumed-twice", summary: "A continuation is resumed a second time."),
    BuiltInCheck(name: "escape", summary: "Work escapes to a thread that the simulator does not control."),
    BuiltInCheck(name: "nondeterminism", summary: "The same schedule leads to another trace."),
    BuiltInCheck(name: "throws", summary: "The program throws an error that nobody handles."),
    BuiltInCheck(
      name: "no-crash", summary: "Nothing ends the process: no trap, no exit, no memory without end."),
    BuiltInCheck(name: "no-hang", summary: "Every step returns within ten seconds of real time."),
  ]
}
