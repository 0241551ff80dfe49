extension Explorer.Report {
  /// The number of schedules that are not judged, the reason, and the fix; nil if all are judged.
  public var unjudgedText: String? {
    guard unjudgedSchedules > 0 else { return nil }
    let number =
      unjudgedSchedules == schedules
      ? "no schedule was judged"
      : "\(unjudgedSchedules.grouped) of \(schedules.grouped) schedules were not judged"
    return
      "\(number): the body had not returned at its limit of virtual time, and may have waited for an action that may happen "
      + "at any time and had not happened; let the body await it instead of polling, or raise `timeLimit`"
  }

  /// The reasons that a search without violations has failed anyway; empty if it has not failed.
  package var failureTexts: [String] {
    if hasEndedNone {
      return [
        "no schedule was judged: the first had not ended when the time was over that the search may take, and may hang"
      ]
    }
    guard violations.isEmpty, schedules > 0, unjudgedSchedules == schedules else { return neverHappenedTexts }
    return [unjudgedText].compactMap(\.self)
  }
}
