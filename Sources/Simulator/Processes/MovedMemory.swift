/// Blocks of memory, held so that what runs meanwhile has its objects at other addresses than before.
///
/// If addresses are not random, a program that depends on one does the same each time. That changes only when another
/// command, with other things in memory, replays what was found.
@safe struct MovedMemory: ~Copyable {
  private static let grain = 16
  /// Every size of small blocks, since an allocator keeps the free ones of each size apart, and above them powers of two.
  /// Beyond the largest, allocators map each block by itself.
  private static let sizes: [Int] =
    [65_536, 32_768, 16_384, 8_192, 4_096, 2_048] + stride(from: 1_024, through: grain, by: -grain)
  /// Blocks at equal distances that show that the allocator has come to memory that was not yet in use.
  private static let row = 4
  /// The largest number of blocks of one size, in case an allocator never lays out blocks in a row.
  private static let limit = 4_096

  private var blocks: [UnsafeMutableRawPointer]

  /// The list of blocks takes its own memory first. It must not leave free memory behind by growing.
  init() {
    unsafe blocks = []
    unsafe blocks.reserveCapacity(Self.sizes.count * Self.limit / 8)
  }

  // Safe because nothing reads the blocks, and each is freed once.
  deinit { unsafe blocks.forEach { unsafe $0.deallocate() } }

  /// Runs `body` after taking all memory that others freed, and a block whose size depends on `count`. The objects of `body`
  /// come behind that block, except in memory that it frees itself. O(free memory).
  mutating func running<Result>(_ count: Int, _ body: () -> Result) -> Result {
    for size in Self.sizes { exhaust(size) }
    unsafe blocks.append(.allocate(byteCount: Self.grain * (2 * count + 1), alignment: Self.grain))
    return body()
  }

  /// Allocates blocks of this size until the last ones are in a row. The sizes before it leave no free memory that a row fits.
  private mutating func exhaust(_ size: Int) {
    var distance = 0
    var inRow = 1
    for _ in 0..<Self.limit where inRow < Self.row {
      let last = unsafe blocks.last
      unsafe blocks.append(.allocate(byteCount: size, alignment: Self.grain))
      guard let last = unsafe last else { continue }
      let next = unsafe blocks[blocks.count - 1] - last
      inRow = next == distance && next >= size ? inRow + 1 : 1
      distance = next
    }
  }
}
