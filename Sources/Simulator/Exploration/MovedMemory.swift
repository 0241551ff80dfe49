/// Memory of each small size that is held while something runs, so that its objects have other addresses than before.
///
/// Where addresses are not random, a program that depends on one does the same each time, until another command, with
/// other things in memory, is to replay what was found.
enum MovedMemory {
  private static let largest = 1_024
  private static let grain = 16

  /// Runs `body` while eight times `count` blocks of each size are held: what others have freed is used up first. O(count).
  static func holding<Result>(_ count: Int, _ body: () -> Result) -> Result {
    var blocks: [UnsafeMutableRawPointer] = unsafe []
    for size in stride(from: grain, through: largest, by: grain) {
      for _ in 0..<8 * count { unsafe blocks.append(.allocate(byteCount: size, alignment: grain)) }
    }
    // All of these together are a multiple of a page's eighth: one more, so that the low digits of an address move too.
    unsafe blocks.append(.allocate(byteCount: largest + grain * count, alignment: grain))
    // Safe: nothing reads them, and each is freed once.
    defer { unsafe blocks.forEach { unsafe $0.deallocate() } }
    return body()
  }
}
