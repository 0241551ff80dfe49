/// Blocks of memory of each small size, held while something runs so that its objects have other addresses than before.
///
/// If addresses are not random, a program that depends on one does the same each time. That changes only when another
/// command, with other things in memory, replays what was found.
enum MovedMemory {
  private static let largest = 1_024
  private static let grain = 16

  /// Runs `body` while holding eight times `count` blocks of each size. These first use up memory that others freed. O(count).
  static func holding<Result>(_ count: Int, _ body: () -> Result) -> Result {
    var blocks: [UnsafeMutableRawPointer] = unsafe []
    for size in stride(from: grain, through: largest, by: grain) {
      for _ in 0..<8 * count { unsafe blocks.append(.allocate(byteCount: size, alignment: grain)) }
    }
    // The size of all these blocks is a multiple of one eighth of a page. One more block moves the low digits of addresses too.
    unsafe blocks.append(.allocate(byteCount: largest + grain * count, alignment: grain))
    // Safe because nothing reads the blocks, and each is freed once.
    defer { unsafe blocks.forEach { unsafe $0.deallocate() } }
    return body()
  }
}
