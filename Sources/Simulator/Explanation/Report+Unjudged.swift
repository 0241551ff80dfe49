extension Explorer.Report {
  /// How many schedules are not judged, why, and the fix; nil where all are.
  public var unjudgedText: String? {
    guard unjudged > 0 else { return nil }
    let number =
      unjudged == schedules
      ? "no schedule was judged" : "\(unjudged.grouped) of \(schedules.grouped) schedules were not judged"
    return
      "\(number): the body had not returned at its limit of virtual time, and may have waited for an action that may happen "
      + "at any time and had not happened; let the body await it instead of polling, or raise `timeLimit`"
  }

  /// Why a search that violates nothing has failed all the same; empty where it has not.
  package var failureTexts: [String] {
    if hasEndedNone {
      return [
        "no schedule was judged: the first had not ended when the time was over that the search may take, and may hang"
      ]
    }
    guard violations.isEmpty, schedules > 0, unjudged == schedules else { return neverHappenedTexts }
    return [unjudgedText].compactMap(\.self)
  }
}
