/// The schedules with one deviation from the natural order, at most ``limit`` of them, spread evenly.
struct SingleDeviations {
  /// How many to try at most.
  var limit = 100
  /// Whether the natural order has been seen to its end.
  var isReady = false
  /// How many options each choice of the natural order had.
  private var options: ContiguousArray<Int32> = []
  /// How many schedules there are.
  private var count = 0
  private var tried = 0
  /// The choice that the next one deviates at, and how many there are before it.
  private var position = 0
  private var before = 0
  private var option = 0

  var hasMore: Bool { tried < min(limit, count) }

  mutating func met(_ point: ChoicePoint) {
    options.append(Int32(point.options))
    count += point.options - 1
  }

  mutating func began() {
    let share = min(limit, count)
    let (high, low) = (2 * tried + 1).multipliedFullWidth(by: count)
    let wanted = (2 * share).dividingFullWidth((high, low)).quotient
    tried += 1
    while before + Int(options[position]) - 1 <= wanted {
      before += Int(options[position]) - 1
      position += 1
    }
    option = wanted - before + 1
  }

  func pick(_ point: ChoicePoint) -> Pick {
    .option(point.position == position && option < point.options ? option : 0)
  }
}
