// Release builds are not testable from outside.
#if DEBUG
  import SimulatorStrategies
  import TestEffort
  import Testing

  @testable import SimulatorCore
  @testable import SimulatorKernel

  /// Timers whose end is a range, beside lists that are searched from their beginning.
  @Suite struct OpenTimersTests {
    /// An expectation for inner loops: `#expect` takes microseconds even where it holds.
    private func agree(_ isSo: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
      if !isSo { Issue.record("the model disagrees", sourceLocation: sourceLocation) }
    }

    /// Of each timer, what a choice is told; and how much had happened when it was put off.
    private struct Model {
      struct Entry {
        let timer: Strategies.OpenTimer
        let news: TimerRange.News
      }
      private(set) var entries: [Entry] = []

      mutating func insert(_ timer: Strategies.OpenTimer, _ news: TimerRange.News) {
        entries.append(Entry(timer: timer, news: news))
        entries.sort { ($0.timer.latest, $0.timer.number) < ($1.timer.latest, $1.timer.number) }
      }

      mutating func remove(_ number: UInt32) { entries.removeAll { $0.timer.number == number } }

      /// Those that were declined just now and may fire together; all others that may; those that fire unasked at `next`.
      func offered(next: VirtualInstant, _ news: TimerRange.News) -> [UInt32] {
        let (declined, others) = (entries.filter { $0.news == news }, entries.filter { $0.news != news })
        return
          (declined.filter { $0.timer.latest > next } + others.filter { $0.timer.latest > next }
          + others.filter { $0.timer.latest <= next }).map(\.timer.number)
      }
    }

    private static func timer(_ number: UInt32, latest: Int) -> Strategies.OpenTimer {
      Strategies.OpenTimer(
        number: number, task: UInt64(number), earliest: VirtualInstant(nanoseconds: 0),
        latest: VirtualInstant(nanoseconds: Int64(latest)))
    }

    private static func range(_ timer: Strategies.OpenTimer, _ news: TimerRange.News) -> TimerRange {
      TimerRange(
        order: timer.number, task: 0, start: 0, earliest: 0, latest: timer.latest.nanoseconds, news: news)
    }

    @Test(arguments: 0..<tries(5, more: 20, all: 20))
    func `open timers stand by their latest end, and a choice is about them in order`(
      _ seed: Int
    ) {
      var random = Strategies.SplitMix64(seed: UInt64(seed), stream: 3)
      var open = OpenTimers()
      var model = Model()
      var news = TimerRange.News(0, 0)
      for number in 0..<UInt32(1_500) {
        if random.below(3) == 0 { news = TimerRange.News(Int64(number), Int(number)) }
        if random.below(7) < (number < 750 ? 4 : 3) {
          let timer = Self.timer(number, latest: Int(number) / 10 + random.below(30))
          // One that was put off before it was set has been news ever since.
          let mark = random.below(5) == 0 ? TimerRange.News(news.now, -1) : news
          open.insert(
            unsafe Timer(deadline: 0, order: number, task: 0, job: nil), Self.range(timer, mark), as: timer)
          model.insert(timer, mark)
        } else if let entry = model.entries.first, random.below(3) > 0 {
          let taken = open.take(dueAt: entry.timer.latest.nanoseconds)
          agree(taken?.range.order == entry.timer.number && taken?.timer.order == entry.timer.number)
          model.remove(entry.timer.number)
        } else if !model.entries.isEmpty {
          let entry = model.entries[random.below(model.entries.count)]
          agree(open.take(entry.timer)?.range.latest == entry.timer.latest.nanoseconds)
          agree(open.take(entry.timer) == nil)
          model.remove(entry.timer.number)
        }
        agree(open.count == model.entries.count)
        agree(open.earliest == model.entries.first?.timer.latest.nanoseconds)
        guard let first = model.entries.first?.timer.latest else { continue }
        let next = random.below(2) == 0 ? first : VirtualInstant(nanoseconds: first.nanoseconds - 1)
        open.offered(now: 0, next: next.nanoseconds, news) { timers in
          agree((0..<timers.count).map { timers[$0].number } == model.offered(next: next, news))
          for index in 0..<timers.count { agree(timers.index(of: timers[index]) == index) }
          let told = Set((0..<timers.count).map { timers[$0].number })
          for entry in model.entries where !told.contains(entry.timer.number) {
            agree(timers.index(of: entry.timer) == nil)
          }
          agree(timers.alone == model.entries.count { $0.news != news })
          agree(timers.together == model.entries.count { $0.timer.latest > next })
        }
        let ends = Set(model.entries.map(\.timer.latest.nanoseconds)).sorted()
        agree(
          open.latestEnds(after: ends[0], before: ends[0] + 20, limit: 8)
            == Array(ends.dropFirst().filter { $0 < ends[0] + 20 }.prefix(8)))
      }
    }

    @Test func `of open timers for which no task waits, the one with the first latest end goes first`() {
      var open = OpenTimers()
      let timers = [(1, 30), (2, 10), (3, 20), (4, 10)].map { Self.timer($0, latest: $1) }
      for timer in timers {
        open.insert(
          unsafe Timer(deadline: 0, order: timer.number, task: 0, job: nil),
          Self.range(timer, TimerRange.News(0, 0)), as: timer)
      }
      for number in [1, 4, 9, 2] as [UInt32] { open.kill(number) }
      agree(open.take(timers[1]) != nil)
      agree(open.takeDead()?.order == 4)
      agree(open.takeDead()?.order == 1)
      agree(open.takeDead() == nil)
      agree(open.count == 1)
      open.removeAll()
      agree(open.isFresh)
    }

    @Test func `a range is taken by its number, and once`() {
      var random = Strategies.SplitMix64(seed: 7, stream: 4)
      var ranges = TimerRanges()
      var model: [UInt32] = []
      var next: UInt32 = 0
      for _ in 0..<5_000 {
        next += UInt32(1 + random.below(3))
        if random.below(2) == 0 {
          ranges.append(TimerRange(order: next, task: 0, start: 0, earliest: 0, latest: Int64(next)))
          model.append(next)
        } else if !model.isEmpty {
          let order = model.remove(at: min(random.below(model.count), random.below(model.count)))
          agree(ranges.take(order)?.latest == Int64(order))
          agree(ranges.take(order) == nil)
        }
        agree(ranges.isEmpty == model.isEmpty)
        agree(ranges.take(next + 1) == nil)
      }
    }
  }
#endif
