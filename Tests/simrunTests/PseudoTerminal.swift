import Foundation

/// A terminal that nobody looks at but a test.
struct PseudoTerminal {
  /// The side that a program writes to.
  let program: FileHandle
  private let screen: Int32

  // TIOCSPTLCK and TIOCGPTN, macros that Swift does not import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  struct Unavailable: Error {}

  /// With so many columns; without, a terminal does not know how wide it is.
  init(columns: UInt16? = nil) throws {
    screen = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var lock: Int32 = 0
    var number: Int32 = 0
    guard screen >= 0, unsafe ioctl(screen, Self.setLock, &lock) == 0,
      unsafe ioctl(screen, Self.getNumber, &number) == 0
    else { throw Unavailable() }
    let descriptor = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { throw Unavailable() }
    if let columns {
      var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      guard unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw Unavailable() }
    }
    program = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
  }

  /// Everything that is written until the program has closed its side.
  func shown() async throws -> String {
    close(program.fileDescriptor)
    return try await onThread { [screen] in Self.everything(on: screen) }
  }

  private static func everything(on screen: Int32) -> String {
    defer { close(screen) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(screen, $0.baseAddress, $0.count) }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }
}
