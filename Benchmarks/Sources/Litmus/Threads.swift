import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension LitmusTheme {
  /// Threads note letters on a board.
  static let threads = LitmusTheme(
    "Threads and run loops", overlaps: true,
    [
      Litmus(
        "threads-keep-no-order", "Two threads.", outcomes: ["12", "21"],
        why: "Each begins when the system comes to it."
      ) {
        let board = Board()
        await Litmus.threads([{ board.note("1") }, { board.note("2") }])
        return board.text
      },
      Litmus(
        "thread-beside-its-maker", "A thread, and what its maker does next.", outcomes: ["12", "21"],
        overlapOnly: ["12"], waits: true, why: "The thread may be done before its maker goes on."
      ) {
        let (board, done) = (Board(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
          board.note("1")
          done.signal()
        }
        board.note("2")
        Litmus.wait(for: done)
        return board.text
      },
      Litmus(
        "threads-and-a-lock", "Two threads read and write a number, each under a lock of its own call.",
        outcomes: ["1", "2"], overlapOnly: ["1"],
        waits: true, why: "Both may read before one writes."
      ) {
        let (lock, number) = (NSLock(), Number())
        let bump: @Sendable () -> Void = {
          let read = lock.withLock { number.value }
          lock.withLock { number.value = read + 1 }
        }
        await Litmus.threads([bump, bump])
        return "\(lock.withLock { number.value })"
      },
      Litmus(
        "thread-variables", "Two threads keep a number each, under one key.", outcomes: ["12", "21"],
        waits: true, why: "Each thread has a dictionary of its own."
      ) {
        let board = Board()
        await Litmus.threads(
          [1, 2].map { number in
            {
              Thread.current.threadDictionary["number"] = number
              Thread.sleep(forTimeInterval: 0.000_1)
              board.note("\(Thread.current.threadDictionary["number"] as? Int ?? 0)")
            }
          })
        return board.text
      },
      Litmus(
        "thread-signals-another", "A thread waits for the other's signal, and notes after it.",
        outcomes: ["12"],
        waits: true, why: "A semaphore lets nobody pass before it is signaled."
      ) {
        let (board, turn) = (Board(), DispatchSemaphore(value: 0))
        await Litmus.threads([
          {
            Litmus.wait(for: turn)
            board.note("2")
          },
          {
            board.note("1")
            turn.signal()
          },
        ])
        return board.text
      },
      Litmus(
        "thread-waits-for-a-condition", "A thread waits for a condition that the other makes true.",
        outcomes: ["12"], waits: true, why: "It looks again whenever it is woken."
      ) {
        let (board, condition, number) = (Board(), NSCondition(), Number())
        await Litmus.threads([
          {
            condition.lock()
            while number.value == 0 { condition.wait() }
            board.note("2")
            condition.unlock()
          },
          {
            condition.lock()
            board.note("1")
            number.value = 1
            condition.signal()
            condition.unlock()
          },
        ])
        return board.text
      },
      Litmus(
        "run-loop-fires-in-order", "Two timers of a thread's run loop, the later one added first.",
        outcomes: ["12"], timed: true, waits: true, why: "A run loop fires what is due first."
      ) {
        let board = Board()
        await Litmus.threads([
          {
            let start = Date()
            for (number, delay) in [("2", 0.02), ("1", 0.01)] {
              let timer = Timer(fire: start + delay, interval: 0, repeats: false) { _ in board.note(number) }
              RunLoop.current.add(timer, forMode: .default)
            }
            while board.text.count < 2 { _ = RunLoop.current.run(mode: .default, before: start + 60) }
          }
        ])
        return board.text
      },
      Litmus(
        "run-loop-stops-repeating", "A timer that repeats, and invalidates itself the second time.",
        outcomes: ["11"], waits: true, why: "A timer that is not valid any more never fires."
      ) {
        let (board, number) = (Board(), Number())
        await Litmus.threads([
          {
            let start = Date()
            let timer = Timer(fire: start + 0.001, interval: 0.001, repeats: true) { timer in
              board.note("1")
              number.value += 1
              if number.value == 2 { timer.invalidate() }
            }
            RunLoop.current.add(timer, forMode: .default)
            while timer.isValid { _ = RunLoop.current.run(mode: .default, before: start + 60) }
          }
        ])
        return board.text
      },
    ])

  /// Requests that a `URLProtocol` of the program's answers at once.
  static let sessions = LitmusTheme(
    "Sessions", overlaps: true,
    [
      Litmus(
        "session-two-requests", "Two data tasks of a session.", outcomes: ["12", "21"],
        waits: true, vast: true,
        why: "The protocol of each loads by itself; the delegate queue has one handler after the other."
      ) {
        await Litmus.answers(to: ["1", "2"])
      },
      Litmus(
        "session-handlers-take-turns", "The handlers of two requests read a number, and write one more.",
        outcomes: ["2"], waits: true, vast: true,
        why: "The session's own queue for handlers takes one after the other."
      ) {
        let (session, number, group) = (Litmus.session(), Number(), DispatchGroup())
        for path in ["1", "2"] {
          group.enter()
          session.dataTask(with: Litmus.url(path)) { _, _, _ in
            let seen = number.value
            Thread.sleep(forTimeInterval: 0)
            number.value = seen + 1
            group.leave()
          }.resume()
        }
        await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
        session.finishTasksAndInvalidate()
        return "\(number.value)"
      },
      Litmus(
        "session-beside-a-block", "A request, and a block on a global queue.", outcomes: ["12", "21"],
        waits: true, why: "The handler comes on a queue of the session's."
      ) {
        let (session, board, group) = (Litmus.session(), Board(), DispatchGroup())
        group.enter()
        session.dataTask(with: Litmus.url("1")) { _, _, _ in
          board.note("1")
          group.leave()
        }.resume()
        DispatchQueue.global().async(group: group) { board.note("2") }
        await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
        session.finishTasksAndInvalidate()
        return board.text
      },
      Litmus(
        "session-nested", "The second request begins in the handler of the first.", outcomes: ["12"],
        waits: true, why: "The handler is called when the first is over."
      ) {
        let (session, board) = (Litmus.session(), Board())
        return await withCheckedContinuation { waiting in
          session.dataTask(with: Litmus.url("1")) { _, _, _ in
            board.note("1")
            session.dataTask(with: Litmus.url("2")) { _, _, _ in
              board.note("2")
              waiting.resume(returning: board.text)
              session.finishTasksAndInvalidate()
            }.resume()
          }.resume()
        }
      },
    ])
}

/// What threads change one after the other.
private final class Number: @unchecked Sendable {
  // @unchecked Sendable because each program keeps a lock around it, or has one thread that uses it.
  var value = 0
}

extension Litmus {
  /// Starts a thread for each of `bodies`, and suspends until all have ended what they do.
  static func threads(_ bodies: [@Sendable () -> Void]) async {
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      Thread.detachNewThread {
        body()
        group.leave()
      }
    }
    await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
  }

  fileprivate static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  fileprivate static func url(_ path: String) -> URL {
    URL(string: "http://litmus.example/\(path)") ?? URL(fileURLWithPath: path)
  }

  fileprivate static func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Echo.self]
    return URLSession(configuration: configuration)
  }

  /// The bodies of the answers, in the order of their handlers.
  fileprivate static func answers(to paths: [String]) async -> String {
    let (session, board, group) = (session(), Board(), DispatchGroup())
    for path in paths {
      group.enter()
      session.dataTask(with: url(path)) { data, _, _ in
        board.note(String(bytes: data ?? Data(), encoding: .utf8) ?? "")
        group.leave()
      }.resume()
    }
    await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
    session.finishTasksAndInvalidate()
    return board.text
  }
}

/// Answers a request with the last part of its path.
private final class Echo: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canInit(with task: URLSessionTask) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(url.lastPathComponent.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
