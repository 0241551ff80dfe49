// swift-format-ignore-file
import Foundation
import FoundationNetworking
import Glibc
import Simulator


extension ExitProgram {
  private static let nowhere = URL(string: "http://127.0.0.1:9/")!

  static let queues = [
    ExitProgram("a completion handler", "dispatch_async") { _ in DispatchQueue.global().async { Task { @MainActor in } } },
    ExitProgram("a continuation resumed on a queue", "dispatch_async") { _ in await withCheckedContinuation { waiting in DispatchQueue.global().async { waiting.resume() } } },
    ExitProgram("a continuation resumed on the main queue", "dispatch_async") { _ in await withCheckedContinuation { waiting in DispatchQueue.main.async { waiting.resume() } } },
    ExitProgram("asyncAfter", "dispatch_after") { _ in await withCheckedContinuation { waiting in DispatchQueue.main.asyncAfter(deadline: .now() + 1) { waiting.resume() } } },
    ExitProgram("a barrier", "dispatch_barrier_async") { _ in DispatchQueue(label: "x", attributes: .concurrent).async(flags: .barrier) {} },
    ExitProgram("async in a group", "dispatch_group_async") { _ in DispatchQueue.global().async(group: DispatchGroup()) {} },
    ExitProgram("group.notify", "dispatch_group_notify") { _ in await withCheckedContinuation { waiting in DispatchGroup().notify(queue: .main) { waiting.resume() } } },
    ExitProgram("a group that a queue leaves", "dispatch_async") { _ in here { let group = DispatchGroup(); group.enter(); DispatchQueue.global().async { group.leave() }; group.wait() } },
    ExitProgram("concurrentPerform", "dispatch_apply") { _ in DispatchQueue.concurrentPerform(iterations: 4) { _ in } },
    ExitProgram("main.sync", "dispatch_sync") { _ in DispatchQueue.main.sync {} },
    ExitProgram("a work item", "dispatch_async") { _ in here { let item = DispatchWorkItem {}; DispatchQueue.global().async(execute: item); item.wait() } },
    ExitProgram("a work item that notifies", "dispatch_block_notify") { _ in DispatchWorkItem {}.notify(queue: .main) {} },
    ExitProgram("OperationQueue", "dispatch_async") { _ in here { let queue = OperationQueue(); queue.addOperation {}; queue.waitUntilAllOperationsAreFinished() } },
    ExitProgram("a cancellation handler", "dispatch_async") { _ in await cancelled { DispatchQueue.global().async {} } },
    ExitProgram("an action between steps", "dispatch_async") { simulation in simulation.anytime { DispatchQueue.global().async {} } },
    ExitProgram("a data task", "dispatch_async") { _ in URLSession.shared.dataTask(with: nowhere) { _, _, _ in }.resume() },
    ExitProgram("URLSession.data", "dispatch_async") { _ in _ = try await URLSession.shared.data(from: nowhere) },
  ]

  static let sources = [
    ExitProgram("a timer source", "dispatch_source_create") { _ in let timer = DispatchSource.makeTimerSource(); timer.schedule(deadline: .now() + 1); timer.setEventHandler {}; timer.resume() },
    ExitProgram("a signal that comes later", "alarm") { _ in alarm(1) },
    ExitProgram("a watch of a file", "dispatch_source_create") { _ in DispatchSource.makeReadSource(fileDescriptor: 0).activate() },
    ExitProgram("readabilityHandler", "dispatch_source_create") { _ in Pipe().fileHandleForReading.readabilityHandler = { _ in } },
    ExitProgram("a timer on a run loop", "CFRunLoopAddTimer") { _ in here { _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in }; RunLoop.current.run() } },
  ]

  static let waits = [
    ExitProgram("Thread.sleep", "nanosleep") { _ in here { Thread.sleep(forTimeInterval: 0.001) } },
    ExitProgram("usleep", "usleep") { _ in usleep(10) },
    ExitProgram("sleep", "sleep") { _ in sleep(1) },
    ExitProgram("a semaphore signalled late", "dispatch_after") { _ in here { let semaphore = DispatchSemaphore(value: 0); DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) { semaphore.signal() }; _ = semaphore.wait(timeout: .now() + 5) } },
    ExitProgram("a semaphore with a timeout", "dispatch_semaphore_wait") { _ in here { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 5) } },
    ExitProgram("a semaphore without", "dispatch_semaphore_wait") { _ in here { DispatchSemaphore(value: 0).wait(); fatalError("nothing has signalled") } },
    ExitProgram("a group with a timeout", "dispatch_group_wait") { _ in here { let group = DispatchGroup(); group.enter(); _ = group.wait(timeout: .now() + 5); group.leave() } },
    ExitProgram("a condition", "pthread_cond_wait") { _ in here { let condition = NSCondition(); condition.lock(); while true { condition.wait() } } },
    ExitProgram("a condition with an end", "pthread_cond_timedwait") { _ in here { let condition = NSCondition(); condition.lock(); while condition.wait(until: Date() + 1) {}; condition.unlock() } },
    ExitProgram("dispatchMain", "dispatch_main") { _ in here { dispatchMain() } },
  ]

  static let threads = [
    ExitProgram("a thread that starts a task", "pthread_create") { _ in let cell = Cell(); await cell.add(1); Thread { Task { await cell.add(1) } }.start(); await cell.add(1) },
    ExitProgram("a thread that is polled", "pthread_create") { _ in let slot = Mailslot(); Thread { slot.isFilled = true }.start(); while !slot.isFilled { usleep(1000) } },
    ExitProgram("a thread that is waited for", "pthread_create") { _ in here { let condition = NSCondition(); let slot = Mailslot(); Thread { condition.withLock { slot.isFilled = true; condition.signal() } }.start(); condition.lock(); while !slot.isFilled { condition.wait() }; fatalError("nothing has signalled") } },
    ExitProgram("detachNewThread", "pthread_create") { _ in Thread.detachNewThread {} },
  ]

  static let processes = [
    ExitProgram("Process", "posix_spawn") { _ in here { let process = Process(); process.executableURL = URL(fileURLWithPath: "/bin/true"); try? process.run() } },
  ]

  private static func cancelled(_ action: @escaping @Sendable () -> Void) async {
    let task = Task { try? await withTaskCancellationHandler { try await Task.sleep(for: .seconds(5)) } onCancel: { action() } }
    await Task.yield()
    task.cancel()
    await task.value
  }
}
