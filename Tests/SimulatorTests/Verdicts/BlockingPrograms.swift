// swift-format-ignore-file
import Foundation
import Glibc
import Simulator

extension ExitProgram {
  /// By calls that block in the kernel.
  static let blocking: [ExitProgram] = {
    _ = Blocking.child
    return descriptors + inputs + locksOfFiles + children + yields
  }()

  private static let descriptors = [
    ExitProgram("read of an empty pipe", "read") { _ in var byte: UInt8 = 0; _ = unsafe read(Blocking.empty, &byte, 1) },
    ExitProgram("FileHandle.read", "read") { _ in _ = try FileHandle(fileDescriptor: Blocking.empty).read(upToCount: 1) },
    ExitProgram("readv", "readv") { _ in var byte: UInt8 = 0; unsafe withUnsafeMutableBytes(of: &byte) { var to = unsafe iovec(iov_base: $0.baseAddress, iov_len: 1); _ = unsafe readv(Blocking.empty, &to, 1) } },
    ExitProgram("recv", "recv") { _ in var byte: UInt8 = 0; _ = unsafe recv(Blocking.socket, &byte, 1, 0) },
    ExitProgram("recvfrom", "recvfrom") { _ in var byte: UInt8 = 0; _ = unsafe recvfrom(Blocking.socket, &byte, 1, 0, nil, nil) },
    ExitProgram("recvmsg", "recvmsg") { _ in var message = unsafe msghdr(); _ = unsafe recvmsg(Blocking.socket, &message, 0) },
    ExitProgram("accept", "accept") { _ in _ = accept(Blocking.listener, nil, nil) },
    ExitProgram("accept4", "accept4") { _ in _ = unsafe SimulatorTests.c("accept4", as: (@convention(c) (Int32, Address, Address, Int32) -> Int32).self)(Blocking.listener, nil, nil, 0) },
    ExitProgram("connect", "connect") { _ in _ = Blocking.connects(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) },
    ExitProgram("eventfd_read", "eventfd_read") { _ in let counter = Blocking.counter(); var value: UInt64 = 0; _ = unsafe SimulatorTests.c("eventfd_read", as: (@convention(c) (Int32, UnsafeMutablePointer<UInt64>) -> Int32).self)(counter, &value) },
    ExitProgram("read of a counter", "read") { _ in let counter = Blocking.counter(); var value: UInt64 = 0; _ = unsafe read(counter, &value, 8) },
    ExitProgram("write to a full pipe", "write") { _ in _ = unsafe write(Blocking.full, "x", 1) },
    ExitProgram("writev", "writev") { _ in var byte: UInt8 = 0; unsafe withUnsafeMutableBytes(of: &byte) { var from = unsafe iovec(iov_base: $0.baseAddress, iov_len: 1); _ = unsafe writev(Blocking.full, &from, 1) } },
    ExitProgram("send", "send") { _ in _ = unsafe send(Blocking.fullSocket, "x", 1, 0) },
  ]

  private static let inputs = [
    ExitProgram("fgets", "fgets") { _ in var line = [CChar](repeating: 0, count: 8); _ = unsafe fgets(&line, 8, Blocking.file) },
    ExitProgram("fgetc", "fgetc") { _ in _ = unsafe fgetc(Blocking.file) },
    ExitProgram("getc", "getc") { _ in _ = unsafe getc(Blocking.file) },
    ExitProgram("fread", "fread") { _ in var byte: UInt8 = 0; _ = unsafe fread(&byte, 1, 1, Blocking.file) },
    ExitProgram("getline", "getline") { _ in var (line, size) = unsafe (UnsafeMutablePointer<CChar>?.none, 0); _ = unsafe getline(&line, &size, Blocking.file) },
    ExitProgram("getdelim", "getdelim") { _ in var (line, size) = unsafe (UnsafeMutablePointer<CChar>?.none, 0); _ = unsafe getdelim(&line, &size, 0, Blocking.file) },
  ]

  private static let locksOfFiles = [
    ExitProgram("flock", "flock") { _ in _ = flock(Blocking.lockedFile, LOCK_EX) },
    ExitProgram("lockf", "lockf") { _ in _ = lockf(Blocking.lockedFile, F_LOCK, 0) },
    ExitProgram("fcntl", "fcntl") { _ in var lock = Glibc.flock(); lock.l_type = Int16(F_WRLCK); _ = unsafe fcntl(Blocking.lockedFile, F_SETLKW, &lock) },
  ]

  private static let children = [
    ExitProgram("wait", "wait") { _ in _ = wait(nil) },
    ExitProgram("waitpid", "waitpid") { _ in _ = waitpid(Blocking.child, nil, 0) },
    ExitProgram("wait4", "wait4") { _ in _ = wait4(Blocking.child, nil, 0, nil) },
    ExitProgram("waitid", "waitid") { _ in _ = waitid(P_PID, id_t(Blocking.child), nil, Int32(WEXITED)) },
  ]

  private static let yields = [
    ExitProgram("sched_yield for ever", "sched_yield") { _ in while true { sched_yield() } },
    ExitProgram("Date for ever", "clock_gettime") { _ in while true { _ = Date() } },
    ExitProgram("thrd_yield for ever", "thrd_yield") { _ in let yield = SimulatorTests.c("thrd_yield", as: (@convention(c) () -> Void).self); while true { yield() } },
  ]
}

/// What blocks, made once.
enum Blocking {
  private static func pair(_ make: (UnsafeMutablePointer<Int32>) -> Int32) -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    precondition(unsafe make(&ends) == 0, "no room for a pair of descriptors")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
  private static func sockets() -> (Int32, Int32) { unsafe pair { unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, $0) } }
  private static func filled(_ file: Int32) -> Int32 {
    _ = fcntl(file, F_SETFL, O_NONBLOCK)
    while unsafe write(file, "x", 1) == 1 {}
    _ = fcntl(file, F_SETFL, 0)
    return file
  }

  private static let pipes = unsafe pair { unsafe pipe($0) }
  /// A pipe into which nothing is written.
  static var empty: Int32 { pipes.0 }
  // Safe: nobody reads from it, which is what the programs show.
  nonisolated(unsafe) static let file = unsafe fdopen(empty, "r")
  /// A pipe from which nothing is read.
  static let full = unsafe filled(pair { unsafe pipe($0) }.1)
  static let socket = sockets().0
  static let fullSocket = filled(sockets().0)

  /// A counter of the kernel's that is zero.
  static func counter() -> Int32 { SimulatorTests.c("eventfd", as: (@convention(c) (UInt32, Int32) -> Int32).self)(0, 0) }

  /// Nobody connects to it.
  static let listener: Int32 = {
    let made = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    listen(made, 1)
    return made
  }()

  /// Nobody takes the connections that wait here, of which there are as many as there may be.
  private static let crowded: sockaddr_un = {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let made = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    // The system gives it a name of its own.
    _ = unsafe withUnsafePointer(to: &address) { unsafe bind(made, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), 2) }
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { unsafe getsockname(made, UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self), &size) }
    listen(made, 0)
    unsafe named = size
    return address
  }()
  // Safe: written where `crowded` is made, and read after that.
  nonisolated(unsafe) private static var named: socklen_t = 0

  /// Connects until that blocks.
  static func connects(_ file: Int32) -> Int32 {
    var (address, last) = (crowded, file)
    while unsafe withUnsafePointer(to: &address, { unsafe connect(last, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), named) }) == 0 {
      last = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    }
    return last
  }

  /// Another descriptor has its locks.
  static let lockedFile: Int32 = {
    let path = FileManager.default.temporaryDirectory.appending(path: "locked-\(UUID())").path
    let (one, other) = unsafe (open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600), open(path, O_RDWR | O_CLOEXEC))
    unsafe unlink(path)
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    flock(one, LOCK_EX)
    _ = unsafe fcntl(one, Int32(37), &lock)  // F_OFD_SETLK: of the open file, and not of the process
    return other
  }()

  /// A process that ends when this one does.
  static let child: pid_t = {
    let (reading, writing) = unsafe pair { unsafe pipe($0) }
    _ = writing
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, reading, 0)
    var made: pid_t = 0
    let arguments = unsafe [strdup("cat"), nil]
    precondition(unsafe posix_spawn(&made, "/bin/cat", &actions, nil, arguments, nil) == 0, "no process can be started")
    return made
  }()
}
