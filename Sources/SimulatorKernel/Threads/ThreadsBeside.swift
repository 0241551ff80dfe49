internal import CConcurrencyHooks
internal import SimulatorCore

/// A thread that the program or a library started before the search.
@safe struct ThreadBeside: @unchecked Sendable {
  // Safe, and @unchecked Sendable, because it is a copy, and its only pointer points to a constant.
  private let thread: ch_thread_beside

  /// Creates the record of the calling thread. Nil if it is not such a thread.
  init?() {
    var thread = unsafe ch_thread_beside()
    guard unsafe ch_this_thread(&thread) else { return nil }
    unsafe self.thread = thread
  }

  private init(_ thread: ch_thread_beside) { unsafe self.thread = thread }

  /// The first few such threads of the process that this one is a copy of. The copy does not have them.
  static var lost: [ThreadBeside] {
    var threads = unsafe [ch_thread_beside](repeating: ch_thread_beside(), count: 6)
    let count = unsafe Int(ch_lost_threads(&threads, Int32(threads.count)))
    return unsafe threads.prefix(count).map { unsafe ThreadBeside($0) }
  }

  /// The number of those threads.
  static var lostCount: Int { Int(ch_lost_threads(nil, 0)) }

  /// Its name, and the line of the program that started it. Finding the line costs some hundred milliseconds once per process.
  var description: String {
    let place = Symbols.places(of: makers).flatMap { $0 }.first.map { ", started at \($0)" } ?? ""
    switch unsafe Int(thread.kind) {
    case CH_BESIDE_SOURCE: return "a source of events" + place.replacing("started", with: "made")
    case CH_BESIDE_BLOCK: return "a block on a queue of Dispatch" + place
    default: return (name.isEmpty ? "a thread" : "the thread “\(name)”") + place
    }
  }

  /// A description of what it waits in; nil if unknown.
  var wait: String? { unsafe thread.waits_in.map { unsafe String(cString: $0) } }

  private var name: String {
    unsafe withUnsafeBytes(of: thread.name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private var makers: [UInt] {
    unsafe withUnsafeBytes(of: thread.makers) { bytes in
      unsafe bytes.bindMemory(to: UInt.self).prefix(Int(thread.maker_count)).map { $0 - 1 }
    }
  }
}
