import Foundation
import Simulator
import Synchronization
import Testing

/// Ordinary programs use the platform's libraries in their steps without leaving the simulation.
@Suite struct `No way out` {
  struct Program: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The rows of the table of ways out that it is about.
    let rows: [String]
    let body: @Sendable () async throws -> Void

    init(_ name: String, rows: [String] = [], _ body: @escaping @Sendable () async throws -> Void) {
      testDescription = name
      self.rows = rows
      self.body = body
    }
  }

  struct Person: Codable {
    var name: String
    var born: Date
  }

  private static let made = (0..<3).map { "\($0)" }

  static let programs = [
    Program("JSON") {
      let data = try JSONEncoder().encode(Person(name: "Ada", born: Date()))
      _ = try JSONDecoder().decode(Person.self, from: data)
      _ = try JSONSerialization.jsonObject(with: data)
      _ = try PropertyListEncoder().encode(["a": 1])
    },
    Program("formats") {
      let formatter = DateFormatter()
      formatter.dateStyle = .full
      _ = formatter.string(from: Date())
      _ = NumberFormatter().string(from: 3.5)
      _ = ISO8601DateFormatter().string(from: Date())
      _ = String(format: "%d %@ %.2f", 3, "x", 0.5)
      _ = Date().formatted()
    },
    Program("output") {
      print("", terminator: "")
      FileHandle.standardError.write(Data())
    },
    Program(
      "time, chance and the process",
      rows: ["clock_gettime, gettimeofday, time", "getrandom, arc4random, rand", "getpid"]
    ) {
      _ = (time(nil), rand(), random())
      _ = (Date(), UUID(), Int.random(in: 1...3), DispatchTime.now(), ContinuousClock.now)
      _ = ProcessInfo.processInfo.processIdentifier
      _ = ProcessInfo.processInfo.environment
      _ = (ProcessInfo.processInfo.arguments, ProcessInfo.processInfo.hostName, Bundle.main.bundlePath)
    },
    Program("descriptors that are ready, or refuse at once") {
      let pipe = Pipe()
      let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
      var byte: UInt8 = 7
      #expect(unsafe write(writing.fileDescriptor, &byte, 1) == 1)
      #expect(unsafe read(reading.fileDescriptor, &byte, 1) == 1)
      #expect(unsafe write(reading.fileDescriptor, &byte, 1) == -1 && errno == EBADF)
      #expect(unsafe read(writing.fileDescriptor, &byte, 1) == -1 && errno == EBADF)
    },
    Program("files") {
      let file = FileManager.default.temporaryDirectory.appending(path: "stays-inside-\(UUID())")
      try Data([1]).write(to: file, options: .atomic)
      _ = try Data(contentsOf: file)
      _ = try FileHandle(forReadingFrom: file).readToEnd()
      _ = try FileManager.default.attributesOfItem(atPath: file.path)
      try FileManager.default.removeItem(at: file)
      _ = try FileManager.default.contentsOfDirectory(atPath: "/")
    },
    Program("locks", rows: ["NSLock, Mutex, OSAllocatedUnfairLock"]) {
      NSLock().withLock {}
      let again = NSRecursiveLock()
      again.withLock { again.withLock {} }
      let mutex = Mutex(1)
      mutex.withLock { $0 += 1 }
      NSCondition().withLock {}
      _ = Atomic(1).add(1, ordering: .relaxed)
    },
    Program("queues", rows: ["DispatchQueue", "DispatchWorkItem", "concurrentPerform"]) {
      let queue = DispatchQueue(label: "work", attributes: .concurrent)
      let group = DispatchGroup()
      queue.async(group: group) {}
      queue.async(group: group, flags: .barrier) {}
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) {}
      DispatchQueue.concurrentPerform(iterations: 4) { _ in }
      await withCheckedContinuation { waiting in group.notify(queue: .main) { waiting.resume() } }
      DispatchQueue.main.async { Task { @MainActor in } }
      let operations = OperationQueue()
      operations.addOperation {}
      await withCheckedContinuation { waiting in operations.addBarrierBlock { waiting.resume() } }
      let item = DispatchWorkItem {}
      await withCheckedContinuation { waiting in
        item.notify(queue: queue) { waiting.resume() }
        queue.async(execute: item)
      }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + 1)
      await withCheckedContinuation { waiting in
        timer.setEventHandler { waiting.resume() }
        timer.resume()
      }
    },
    Program("threads", rows: ["pthread_create"]) {
      Thread.detachNewThread {}
      await withCheckedContinuation { waiting in
        let thread = Thread { waiting.resume() }
        thread.name = "worker"
        thread.start()
      }
    },
    Program("run loops", rows: ["CFRunLoopAddTimer"]) {
      await withCheckedContinuation { waiting in RunLoop.main.perform { waiting.resume() } }
      await MainActor.run {
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in }
        RunLoop.main.add(Timer(timeInterval: 1, repeats: false) { _ in }, forMode: .common)
      }
    },
    Program("a queue as a lock", rows: ["DispatchQueue.sync"]) {
      DispatchQueue(label: "lock").sync {}
      DispatchQueue(label: "readers", attributes: .concurrent).sync(flags: .barrier) {}
      _ = DispatchQueue.global().sync { 1 }
      let item = DispatchWorkItem {}
      DispatchQueue(label: "item").sync(execute: item)
    },
    Program("a semaphore as a lock", rows: ["DispatchSemaphore, DispatchGroup"]) {
      here {
        let semaphore = DispatchSemaphore(value: 1)
        semaphore.wait()
        _ = semaphore.wait(timeout: .now())
        semaphore.signal()
        let group = DispatchGroup()
        group.enter()
        group.leave()
        group.wait()
        let item = DispatchWorkItem {}
        item.perform()
        item.wait()
      }
    },
    Program("an actor with an executor of its own", rows: ["unownedExecutor"]) {
      let desk = OwnDesk()
      await desk.set(1)
      _ = await desk.number
    },
    Program("a task executor of its own", rows: ["withTaskExecutorPreference"]) {
      await withTaskExecutorPreference(QueueTurnsOfTasks()) { await Task.yield() }
    },
    Program("a global that the first caller makes", rows: ["dispatch_once"]) { _ = Self.made.count },
    Program("notifications, defaults, caches") {
      let center = NotificationCenter.default
      let observer = center.addObserver(forName: .init("stays inside"), object: nil, queue: nil) { _ in }
      center.post(name: .init("stays inside"), object: nil)
      center.removeObserver(observer)
      _ = UserDefaults.standard.integer(forKey: "none")
      NSCache<NSString, NSString>().setObject("a", forKey: "b")
      _ = OperationQueue()
      here { _ = (Thread.current, Thread.isMainThread, RunLoop.current) }
    },
    Program("text") {
      _ = URLComponents(string: "http://a/b?c=d")?.queryItems
      _ = "abc".firstMatch(of: /b/)
      _ = try NSRegularExpression(pattern: "a").numberOfMatches(in: "aa", range: NSRange(0..<2))
      _ = (Locale.current.identifier, TimeZone.current, Calendar.current.component(.year, from: Date()))
      _ = "b a".components(separatedBy: " ").sorted().joined().data(using: .utf8)?.base64EncodedString()
    },
    Program("tasks") {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { try? await Task.sleep(for: .seconds(1)) } }
      }
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.yield(1)
      continuation.finish()
      for await _ in stream {}
      await MainActor.run {}
    },
  ]

  @Test(arguments: programs) func `a program that stays inside is no escape`(_ program: Program) {
    let report = exhaust(schedules: 20) { _ in try await program.body() }
    #expect(report.violations.map(\.message) == [])
  }
}
