// swift-format-ignore-file
import CConcurrencyHooks
import Foundation
import Glibc
import Simulator


extension ExitProgram {
  /// By functions of C, which stand behind the others or are called by libraries.
  static let c = [
    ExitProgram("sync_f", "dispatch_sync_f") { _ in waitsForQueue("dispatch_sync_f") },
    ExitProgram("barrier_sync_f", "dispatch_barrier_sync_f") { _ in waitsForQueue("dispatch_barrier_sync_f") },
    ExitProgram("async_and_wait", "dispatch_async_and_wait") { _ in waitsForQueue("dispatch_async_and_wait", block: {}) },
    ExitProgram("async_and_wait_f", "dispatch_async_and_wait_f") { _ in waitsForQueue("dispatch_async_and_wait_f") },
    ExitProgram("barrier_async_and_wait", "dispatch_barrier_async_and_wait") { _ in waitsForQueue("dispatch_barrier_async_and_wait", block: {}) },
    ExitProgram("barrier_async_and_wait_f", "dispatch_barrier_async_and_wait_f") { _ in waitsForQueue("dispatch_barrier_async_and_wait_f") },
    ExitProgram("timerfd_settime", "timerfd_settime") { _ in var time = itimerspec(); time.it_value.tv_sec = 1; _ = unsafe SimulatorTests.c("timerfd_settime", as: (@convention(c) (Int32, Int32, UnsafePointer<itimerspec>, Address) -> Int32).self)(0, 0, &time, nil) },
    ExitProgram("timer_settime", "timer_settime") { _ in var time = itimerspec(); time.it_value.tv_sec = 1; _ = unsafe SimulatorTests.c("timer_settime", as: (@convention(c) (Address, Int32, UnsafePointer<itimerspec>, Address) -> Int32).self)(nil, 0, &time, nil) },
    ExitProgram("setitimer", "setitimer") { _ in var time = itimerval(); time.it_value.tv_sec = 1; _ = unsafe SimulatorTests.c("setitimer", as: (@convention(c) (Int32, UnsafePointer<itimerval>, Address) -> Int32).self)(0, &time, nil) },
    ExitProgram("clock_nanosleep", "clock_nanosleep") { _ in var time = timespec(tv_sec: 0, tv_nsec: 10); _ = unsafe SimulatorTests.c("clock_nanosleep", as: (@convention(c) (Int32, Int32, UnsafePointer<timespec>, Address) -> Int32).self)(1, 0, &time, nil) },
    ExitProgram("sem_wait", "sem_wait") { _ in here { var semaphore = sem_t(); unsafe sem_init(&semaphore, 0, 0); unsafe sem_wait(&semaphore); fatalError("nothing has posted") } },
    ExitProgram("sem_timedwait", "sem_timedwait") { _ in here { var semaphore = sem_t(); var time = timespec(tv_sec: 0, tv_nsec: 0); unsafe sem_init(&semaphore, 0, 0); unsafe sem_timedwait(&semaphore, &time) } },
    ExitProgram("poll", "poll") { _ in _ = poll(nil, 0, 10) },
    ExitProgram("ppoll", "ppoll") { _ in var time = timespec(tv_sec: 0, tv_nsec: 10); _ = unsafe SimulatorTests.c("ppoll", as: (@convention(c) (Address, UInt, UnsafePointer<timespec>, Address) -> Int32).self)(nil, 0, &time, nil) },
    ExitProgram("select", "select") { _ in var time = timeval(tv_sec: 0, tv_usec: 10); _ = unsafe select(0, nil, nil, nil, &time) },
    ExitProgram("epoll_wait", "epoll_wait") { _ in let queue = SimulatorTests.c("epoll_create1", as: (@convention(c) (Int32) -> Int32).self)(0); defer { close(queue) }; var event = (UInt64(0), UInt64(0)); _ = unsafe SimulatorTests.c("epoll_wait", as: (@convention(c) (Int32, Address, Int32, Int32) -> Int32).self)(queue, &event, 1, 10) },
    ExitProgram("posix_spawnp", "posix_spawnp") { _ in _ = unsafe SimulatorTests.c("posix_spawnp", as: (@convention(c) (Address, UnsafePointer<CChar>, Address, Address, Address, Address) -> Int32).self)(nil, "true", nil, nil, nil, nil) },
    ExitProgram("fork", "fork") { _ in _ = SimulatorTests.c("fork", as: (@convention(c) () -> Int32).self)() },
    ExitProgram("vfork", "vfork") { _ in _ = SimulatorTests.c("vfork", as: (@convention(c) () -> Int32).self)() },
    ExitProgram("a signal to another process", "kill") { _ in kill(1, SIGTERM) },
    ExitProgram("a queued signal to another process", "kill") { _ in unsafe sigqueue(1, SIGTERM, sigval()) },
    ExitProgram("a signal to another group", "kill") { _ in killpg(1, SIGTERM) },
    ExitProgram("a signal to all", "kill") { _ in kill(-1, SIGTERM) },
    ExitProgram("thrd_sleep", "thrd_sleep") { _ in var time = timespec(tv_sec: 0, tv_nsec: 10); _ = unsafe SimulatorTests.c("thrd_sleep", as: (@convention(c) (UnsafePointer<timespec>, Address) -> Int32).self)(&time, nil) },
    ExitProgram("ualarm", "ualarm") { _ in ualarm(1, 0) },
    ExitProgram("sem_clockwait", "sem_clockwait") { _ in here { var semaphore = sem_t(); var time = timespec(tv_sec: 0, tv_nsec: 0); unsafe sem_init(&semaphore, 0, 0); _ = unsafe SimulatorTests.c("sem_clockwait", as: (@convention(c) (UnsafeMutablePointer<sem_t>, Int32, UnsafePointer<timespec>) -> Int32).self)(&semaphore, 1, &time) } },
    ExitProgram("pause", "pause") { _ in here { pause(); fatalError("nothing sends a signal") } },
    ExitProgram("sigsuspend", "sigsuspend") { _ in here { var set = sigset_t(); unsafe sigemptyset(&set); unsafe sigsuspend(&set); fatalError("nothing sends a signal") } },
    ExitProgram("sigwait", "sigwait") { _ in here { var set = signals(SIGUSR2); var number: Int32 = 0; unsafe sigwait(&set, &number); fatalError("nothing sends a signal") } },
    ExitProgram("sigwaitinfo", "sigwaitinfo") { _ in here { var set = signals(SIGUSR2); unsafe sigwaitinfo(&set, nil); fatalError("nothing sends a signal") } },
    ExitProgram("sigtimedwait", "sigtimedwait") { _ in here { var set = signals(SIGUSR2); var time = timespec(tv_sec: 0, tv_nsec: 10); unsafe sigtimedwait(&set, nil, &time) } },
    ExitProgram("epoll_pwait", "epoll_pwait") { _ in let queue = SimulatorTests.c("epoll_create1", as: (@convention(c) (Int32) -> Int32).self)(0); defer { close(queue) }; var event = (UInt64(0), UInt64(0)); _ = unsafe SimulatorTests.c("epoll_pwait", as: (@convention(c) (Int32, Address, Int32, Int32, Address) -> Int32).self)(queue, &event, 1, 10, nil) },
    ExitProgram("pselect", "pselect") { _ in var time = timespec(tv_sec: 0, tv_nsec: 10); _ = unsafe pselect(0, nil, nil, nil, &time, nil) },
    ExitProgram("a descriptor that was open before", "close") { _ in let file = unsafe open("/dev/null", O_RDONLY); ch_keep_descriptor(file); close(file) },
    ExitProgram("a copy over a descriptor that was open before", "dup2") { _ in let file = unsafe open("/dev/null", O_RDONLY); ch_keep_descriptor(file); dup2(0, file) },
    ExitProgram("execve", "execve") { _ in _ = unsafe execve("/bin/true", [nil], [nil]) },
    ExitProgram("execv", "execv") { _ in _ = unsafe execv("/bin/true", [nil]) },
    ExitProgram("execvp", "execvp") { _ in _ = unsafe execvp("true", [nil]) },
    ExitProgram("execvpe", "execvpe") { _ in _ = unsafe SimulatorTests.c("execvpe", as: (@convention(c) (UnsafePointer<CChar>, Address, Address) -> Int32).self)("true", nil, nil) },
    ExitProgram("fexecve", "fexecve") { _ in _ = unsafe SimulatorTests.c("fexecve", as: (@convention(c) (Int32, Address, Address) -> Int32).self)(-1, nil, nil) },
    ExitProgram("system", "system") { _ in _ = unsafe system("true") },
    ExitProgram("popen", "popen") { _ in _ = unsafe popen("true", "r") },
  ]

  static let files = [
    ExitProgram("DispatchIO.read of a file", "dispatch_read") { _ in DispatchIO.read(fromFileDescriptor: 0, maxLength: 1, runningHandlerOn: .global()) { _, _ in } },
    ExitProgram("DispatchIO.write to a file", "dispatch_write") { _ in DispatchIO.write(toFileDescriptor: 1, data: .empty, runningHandlerOn: .global()) { _, _ in } },
    ExitProgram("DispatchIO.read", "dispatch_io_read") { _ in channel.read(offset: 0, length: 1, queue: .global()) { _, _, _ in } },
    ExitProgram("DispatchIO.write", "dispatch_io_write") { _ in channel.write(offset: 0, data: .empty, queue: .global()) { _, _, _ in } },
    ExitProgram("DispatchIO.barrier", "dispatch_io_barrier") { _ in channel.barrier {} },
  ]

  private static let channel = DispatchIO(type: .stream, fileDescriptor: dup(0), queue: .global()) { _ in }

  static let queues = [
    ExitProgram("sync behind a block", "dispatch_sync") { _ in here { let queue = DispatchQueue(label: "x"); queue.async {}; queue.sync {}; fatalError("nothing else can run") } },
    ExitProgram("sync with a barrier behind a block", "dispatch_barrier_sync") { _ in here { let queue = DispatchQueue(label: "x"); queue.async {}; queue.sync(flags: .barrier) {}; fatalError("nothing else can run") } },
  ]

  static let sources = [
    ExitProgram("a signal", "dispatch_source_create") { _ in DispatchSource.makeSignalSource(signal: SIGUSR1).activate() },
    ExitProgram("a signal that comes later", "alarm") { _ in alarm(1) },
    ExitProgram("a watch of a file", "dispatch_source_create") { _ in DispatchSource.makeReadSource(fileDescriptor: 0).activate() },
    ExitProgram("readabilityHandler", "dispatch_source_create") { _ in Pipe().fileHandleForReading.readabilityHandler = { _ in } },
  ]

  static let waits = [
    ExitProgram("Thread.sleep", "nanosleep") { _ in here { Thread.sleep(forTimeInterval: 0.001) } },
    ExitProgram("usleep", "usleep") { _ in usleep(10) },
    ExitProgram("sleep", "sleep") { _ in sleep(1) },
    ExitProgram("a semaphore with a timeout", "dispatch_semaphore_wait") { _ in here { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 5) } },
    ExitProgram("a semaphore without", "dispatch_semaphore_wait") { _ in here { DispatchSemaphore(value: 0).wait(); fatalError("nothing has signaled") } },
    ExitProgram("a work item that nobody runs", "dispatch_block_wait") { _ in here { DispatchWorkItem {}.wait(); fatalError("nothing has run it") } },
    ExitProgram("a group with a timeout", "dispatch_group_wait") { _ in here { let group = DispatchGroup(); group.enter(); _ = group.wait(timeout: .now() + 5); group.leave() } },
    ExitProgram("a condition", "pthread_cond_wait") { _ in here { let condition = NSCondition(); condition.lock(); while true { condition.wait() } } },
    ExitProgram("a condition with an end", "pthread_cond_timedwait") { _ in here { let condition = NSCondition(); condition.lock(); while condition.wait(until: Date() + 1) {}; condition.unlock() } },
    ExitProgram("dispatchMain", "dispatch_main") { _ in here { dispatchMain() } },
  ]

  static let threads = [
    ExitProgram("a thread that is joined", "pthread_join") { _ in here { var thread = pthread_t(); unsafe pthread_create(&thread, nil, { _ in nil }, nil); pthread_join(thread, nil); fatalError("it has not begun") } },
    ExitProgram("a barrier to which nobody else has come", "pthread_barrier_wait") { _ in here { Barrier(2).wait(); fatalError("nobody else comes") } },
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
