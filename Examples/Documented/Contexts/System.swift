import Scenarios
import Simulator

@MainActor private protocol CounterModel: AnyObject {
  var count: Int { get }
  func tap(_ number: Int) async
}

@MainActor private final class NaiveCounter: CounterModel {
  private(set) var count = 0
  init(store: FakeStore) {}
  func tap(_ number: Int) async { count += number }
}

private typealias HardenedCounter = NaiveCounter

private enum Example {
  // example
}
