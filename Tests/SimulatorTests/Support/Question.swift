import Glibc
import Synchronization

/// A call by which a program asks the system something, and what the simulation answers.
struct Question: Sendable {
  /// Nil for numbers drawn by chance.
  let answer: String?
  let ask: @Sendable () -> String
}

private typealias Clock = @convention(c) (Int32, UnsafeMutablePointer<timespec>) -> Int32
private typealias Adjust = @convention(c) (UnsafeMutableRawPointer) -> Int32
private typealias Number = @convention(c) () -> Int32
private typealias NumberOf = @convention(c) (Int32) -> Int32
private typealias Filling = @convention(c) (UnsafeMutablePointer<UInt8>, Int) -> Int

/// The first of January 2026, a day after which the machine was started.
private let day = "1767225600"
private let process = "4194304"

private func seconds(of name: String) -> String {
  var time = timespec(tv_sec: 0, tv_nsec: 7)
  _ = unsafe c(name, as: (@convention(c) (UnsafeMutablePointer<timespec>, Int32) -> Int32).self)(&time, 1)
  return "\(time.tv_sec) \(time.tv_nsec)"
}

private func clock(_ name: String, _ number: Int32) -> String {
  var time = timespec(tv_sec: 0, tv_nsec: 7)
  _ = unsafe c(name, as: Clock.self)(number, &time)
  return "\(time.tv_sec) \(time.tv_nsec)"
}

/// The words of a structure that `ask` fills.
private func words(_ ask: (UnsafeMutableRawPointer) -> Void) -> [Int] {
  var words = [Int](repeating: 0, count: 64)
  unsafe words.withUnsafeMutableBytes { bytes in if let base = bytes.baseAddress { unsafe ask(base) } }
  return words
}

private func bytes(_ count: Int = 8, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> String {
  var bytes = [UInt8](repeating: 0, count: count)
  unsafe bytes.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { unsafe fill(base) } }
  return "\(bytes)"
}

private func fromDevice(_ name: String) -> String {
  unsafe bytes { buffer in
    let file = unsafe open("/dev/urandom", O_RDONLY)
    defer { close(file) }
    if name == "__read_chk" {
      _ = unsafe c(name, as: (@convention(c) (Int32, UnsafeMutablePointer<UInt8>, Int, Int) -> Int).self)(
        file, buffer, 8, 8)
    } else {
      _ = unsafe c(name, as: (@convention(c) (Int32, UnsafeMutablePointer<UInt8>, Int) -> Int).self)(
        file, buffer, 8)
    }
  }
}

/// The same of the function called `name`, which takes nothing else.
private func words(_ name: String) -> [Int] { unsafe words { _ = unsafe c(name, as: Adjust.self)($0) } }

private func adjusted(_ name: String, at word: Int) -> Question {
  Question(answer: day) { "\(words(name)[word])" }
}

private func filled(_ name: String) -> Question {
  Question(answer: nil) { unsafe bytes { _ = unsafe c(name, as: Filling.self)($0, 8) } }
}

private func numbered(_ name: String) -> Question {
  Question(answer: process) { "\(c(name, as: NumberOf.self)(0))" }
}

// MARK: - All

extension Question {
  static let all = times.merging(randomNumbers) { $1 }.merging(identities) { $1 }.merging(machines) { $1 }

  private static let times = [
    "clock_gettime": Question(answer: "\(day) 0") { clock("clock_gettime", CLOCK_REALTIME) },
    "clock_getres": Question(answer: "0 1") { clock("clock_getres", CLOCK_REALTIME) },
    "gettimeofday": Question(answer: "\(day) 0") {
      var time = timeval(tv_sec: 0, tv_usec: 7)
      unsafe gettimeofday(&time, nil)
      return "\(time.tv_sec) \(time.tv_usec)"
    },
    "__gettimeofday": Question(answer: day) {
      let words = unsafe words {
        _ = unsafe c("__gettimeofday", as: (@convention(c) (UnsafeMutableRawPointer, Int) -> Int32).self)(
          $0, 0)
      }
      return "\(words[0])"
    },
    "time": Question(answer: day) { "\(time(nil))" },
    "timespec_get": Question(answer: "\(day) 0") { seconds(of: "timespec_get") },
    "timespec_getres": Question(answer: "0 1") { seconds(of: "timespec_getres") },
    "ftime": Question(answer: day) { "\(words("ftime")[0])" },
    "clock": Question(answer: "0") { "\(clock())" },
    "times": Question(answer: "8640000 [0, 0, 0, 0]") {
      let ticks = Mutex(0)
      let used = unsafe words { buffer in
        let now = unsafe c("times", as: (@convention(c) (UnsafeMutableRawPointer) -> Int).self)(buffer)
        ticks.withLock { $0 = now }
      }
      return "\(ticks.withLock { $0 }) \(used.prefix(4))"
    },
    "getrusage": Question(answer: "true") {
      var usage = rusage()
      _ = unsafe c("getrusage", as: (@convention(c) (Int32, UnsafeMutablePointer<rusage>) -> Int32).self)(
        0, &usage)
      return "\(usage.ru_maxrss == 0 && usage.ru_utime.tv_usec == 0 && usage.ru_minflt == 0)"
    },
    "adjtimex": adjusted("adjtimex", at: 9), "ntp_adjtime": adjusted("ntp_adjtime", at: 9),
    "clock_adjtime": Question(answer: day) {
      let words = unsafe words {
        _ = unsafe c("clock_adjtime", as: (@convention(c) (Int32, UnsafeMutableRawPointer) -> Int32).self)(
          0, $0)
      }
      return "\(words[9])"
    },
    "ntp_gettime": adjusted("ntp_gettime", at: 0), "ntp_gettimex": adjusted("ntp_gettimex", at: 0),
  ]

  private static let randomNumbers = [
    "getrandom": Question(answer: nil) {
      unsafe bytes {
        _ = unsafe c(
          "getrandom", as: (@convention(c) (UnsafeMutablePointer<UInt8>, Int, UInt32) -> Int).self)($0, 8, 0)
      }
    },
    "getentropy": filled("getentropy"), "arc4random_buf": filled("arc4random_buf"),
    "arc4random": Question(answer: nil) { "\(c("arc4random", as: Number.self)())" },
    "arc4random_uniform": Question(answer: nil) { "\(c("arc4random_uniform", as: NumberOf.self)(1 << 30))" },
    "rand": Question(answer: nil) { "\(rand())" }, "random": Question(answer: nil) { "\(random())" },
    "drand48": Question(answer: nil) { "\(drand48())" }, "lrand48": Question(answer: nil) { "\(lrand48())" },
    "mrand48": Question(answer: nil) { "\(mrand48())" },
    "srand": Question(answer: nil) {
      srand(7); return "\(rand())"
    },
    "srandom": Question(answer: nil) {
      srandom(7); return "\(random())"
    },
    "srand48": Question(answer: nil) {
      srand48(7); return "\(lrand48())"
    },
    "seed48": Question(answer: nil) {
      var words: [UInt16] = [1, 2, 3]
      unsafe seed48(&words)
      return "\(lrand48())"
    },
    "lcong48": Question(answer: nil) {
      var words: [UInt16] = [1, 2, 3, 4, 5, 6, 7]
      unsafe lcong48(&words)
      return "\(lrand48())"
    },
    "initstate": Question(answer: nil) {
      unsafe bytes {
        _ = unsafe c(
          "initstate", as: (@convention(c) (UInt32, UnsafeMutablePointer<UInt8>, Int) -> Int).self)(7, $0, 8)
      }
        + "\(random())"
    },
    "setstate": Question(answer: nil) {
      unsafe bytes(64) { buffer in
        typealias Begin =
          @convention(c) (UInt32, UnsafeMutablePointer<UInt8>, Int) -> UnsafeMutablePointer<UInt8>
        let before = unsafe c("initstate", as: Begin.self)(7, buffer, 64)
        typealias Restore = @convention(c) (UnsafeMutablePointer<UInt8>) -> Int
        _ = unsafe c("setstate", as: Restore.self)(before)
      } + "\(random())"
    },
    "strfry": Question(answer: nil) {
      unsafe bytes(20) { buffer in
        for n in 0..<19 { unsafe buffer[n] = UInt8(n + 1) }
        _ = unsafe c("strfry", as: (@convention(c) (UnsafeMutablePointer<UInt8>) -> Int).self)(buffer)
      }
    },
    "read": Question(answer: nil) { fromDevice("read") },
    "__read": Question(answer: nil) { fromDevice("__read") },
    "__read_chk": Question(answer: nil) { fromDevice("__read_chk") },
  ]

  private static let identities = [
    "getpid": Question(answer: process) { "\(getpid())" },
    "__getpid": Question(answer: process) { "\(c("__getpid", as: Number.self)())" },
    "getppid": Question(answer: "1") { "\(getppid())" },
    "getpgrp": Question(answer: process) { "\(getpgrp())" },
    "getpgid": numbered("getpgid"), "__getpgid": numbered("__getpgid"),
    "__bsd_getpgrp": numbered("__bsd_getpgrp"),
    "getsid": numbered("getsid"),
    "getauxval": Question(answer: "[82, 65, 67, 69]") { atRandom("getauxval") },
    "__getauxval": Question(answer: "[82, 65, 67, 69]") { atRandom("__getauxval") },
    "syscall": Question(answer: "\(day) 0 \(process)") {
      var time = timespec(tv_sec: 0, tv_nsec: 7)
      typealias Call = @convention(c) (Int, Int, UnsafeMutablePointer<timespec>) -> Int
      #if arch(x86_64)
        let (clock, number) = (228, 39)
      #else
        let (clock, number) = (113, 172)
      #endif
      _ = unsafe c("syscall", as: Call.self)(clock, 0, &time)
      let process = c("syscall", as: (@convention(c) (Int) -> Int).self)(number)
      return "\(time.tv_sec) \(time.tv_nsec) \(process)"
    },
  ]

  private static func atRandom(_ name: String) -> String {
    let random = 25
    let at = c(name, as: (@convention(c) (Int) -> UInt).self)(random)
    guard let bytes = unsafe UnsafePointer<UInt8>(bitPattern: at) else { return "none" }
    return "\((0..<4).map { unsafe bytes[$0] })"
  }

  private static let machines = [
    "sched_getcpu": Question(answer: "0") { "\(c("sched_getcpu", as: Number.self)())" },
    "getcpu": Question(answer: "0") {
      var core: UInt32 = 77
      _ = unsafe c("getcpu", as: (@convention(c) (UnsafeMutablePointer<UInt32>, Int) -> Int32).self)(&core, 0)
      return "\(core)"
    },
    "getloadavg": Question(answer: "3 [0.0, 0.0, 0.0]") {
      var loads = [7.0, 7, 7]
      let count = unsafe getloadavg(&loads, 3)
      return "\(count) \(loads)"
    },
    "sysinfo": Question(answer: "86400 [0, 0, 0]") {
      let words = words("sysinfo")
      return "\(words[0]) \(words[1...3].map(\.self))"
    },
    "sysconf": Question(answer: "true") {
      "\(sysconf(Int32(_SC_AVPHYS_PAGES)) == sysconf(Int32(_SC_PHYS_PAGES)))"
    },
    "__sysconf": Question(answer: "true") {
      let available = c("__sysconf", as: (@convention(c) (Int32) -> Int).self)(Int32(_SC_AVPHYS_PAGES))
      return "\(available == sysconf(Int32(_SC_PHYS_PAGES)))"
    },
    "get_avphys_pages": Question(answer: "true") {
      typealias Pages = @convention(c) () -> Int
      return "\(c("get_avphys_pages", as: Pages.self)() == c("get_phys_pages", as: Pages.self)())"
    },
  ]
}
