/// The loads of one screen. While one is under way, the screen says so; then it shows how the newest one has ended that was not
/// canceled. An older one that ends later changes nothing.
struct Loads<Screen> {
  private(set) var settled: Screen
  private var begun = 0
  private var newestSettled = 0
  private var underWay: Set<Int> = []

  init(_ initially: Screen) { settled = initially }

  /// True while one is under way.
  var isLoading: Bool { !underWay.isEmpty }

  mutating func begin() -> Int {
    begun += 1
    underWay.insert(begun)
    return begun
  }

  /// Ends a load. `screen` is what it has brought; nil if it was canceled. Returns true if it is the newest that has brought
  /// anything.
  @discardableResult mutating func end(_ load: Int, with screen: Screen?) -> Bool {
    underWay.remove(load)
    guard let screen, load > newestSettled else { return false }
    newestSettled = load
    settled = screen
    return true
  }
}
