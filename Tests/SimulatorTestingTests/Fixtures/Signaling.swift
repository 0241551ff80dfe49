import Foundation
import Simulator
import SimulatorTesting
import Testing

/// Tests that send themselves signals, or that ended otherwise while signals are not what they are by default.
@Suite(.enabled(if: Fixtures.areEnabled)) struct Signaling {
  /// The signals that end a process.
  static let ending = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGKILL, 36]

  @Test(.simulated, arguments: ending) func raises(number: Int32) async throws { raise(number) }

  @Test(.simulated) func stops() async throws { raise(SIGSTOP) }

  @Test(.simulated) func kills() async throws { kill(getpid(), SIGTERM) }

  @Test(.simulated) func killsItsGroup() async throws { kill(0, SIGTERM) }

  @Test(.simulated) func killsItsThread() async throws { pthread_kill(pthread_self(), SIGUSR1) }

  @Test(.simulated) func queues() async throws { unsafe sigqueue(getpid(), SIGUSR1, sigval(sival_int: 1)) }

  @Test(.simulated) func aborts() async throws { abort() }

  @Test(.simulated) func raisesAnAbort() async throws { raise(SIGABRT) }

  @Test(.simulated) @MainActor func onTheMainActor() async throws { raise(SIGTERM) }

  @Test(.simulated) func onAQueue() async throws {
    await withCheckedContinuation { done in
      DispatchQueue(label: "q").async {
        raise(SIGTERM)
        done.resume()
      }
    }
  }

  @Test(.simulated) func onAThread() async throws {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        raise(SIGTERM)
        done.resume()
      }
    }
  }

  @Test(.simulated) func inOneOrder() async throws {
    let account = Account()
    async let first: Void = account.withdraw(70)
    async let second: Void = account.withdraw(70)
    _ = await (first, second)
    if await account.balance < 0 { raise(SIGTERM) }
  }

  @Test(.simulated) func letsItComeLater() async throws {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGUSR2)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    raise(SIGUSR2)
    await Task.yield()
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  @Test(.simulated) func leavesByExit() async throws { exit(3) }

  @Test(.simulated) func leavesAtOnce() async throws { _exit(4) }

  @Test(.simulated) func passesBeside() async throws { await Task.yield() }
}

/// Signals that do not end a process, by default or because the program has said so.
@Suite(.enabled(if: Fixtures.areEnabled), .serialized) struct SignalingInVain {
  private static let caught = Flag()
  private static let caughtBefore = Flag()

  init() {
    signal(SIGUSR1) { _ in SignalingInVain.caughtBefore.set() }
    signal(SIGHUP, SIG_IGN)
  }

  @Test(.simulated, arguments: [SIGCHLD, SIGWINCH, SIGCONT, SIGURG]) func isIgnored(number: Int32)
    async throws
  {
    raise(number)
    kill(getpid(), number)
  }

  @Test(.simulated) func hasAHandler() async throws {
    signal(SIGUSR2) { _ in SignalingInVain.caught.set() }
    raise(SIGUSR2)
    #expect(Self.caught.isSet)
    signal(SIGUSR2, SIG_DFL)
  }

  @Test(.simulated) func hasAHandlerFromBefore() async throws {
    raise(SIGUSR1)
    #expect(Self.caughtBefore.isSet)
  }

  @Test(.simulated) func isIgnoredFromBefore() async throws { kill(getpid(), SIGHUP) }

  @Test(.simulated) func isIgnoredHere() async throws {
    signal(SIGTERM, SIG_IGN)
    raise(SIGTERM)
    signal(SIGTERM, SIG_DFL)
  }

  @Test(.simulated) func isBlocked() async throws {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGALRM)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    raise(SIGALRM)
    var number: Int32 = 0
    unsafe sigwait(&set, &number)
    #expect(number == SIGALRM)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}

/// Ends that are told where the program wants to hear nothing of its children.
@Suite(.enabled(if: Fixtures.areEnabled), .serialized) struct SignalingNoChildren {
  private var isUnlucky: Bool { Simulation.current?.choose(among: [false, true]) ?? false }

  @Test(.simulated) func inTheBody() async throws {
    signal(SIGCHLD, SIG_IGN)
    if isUnlucky { fatalError("the cart is gone") }
  }

  @Test(.simulated) func inTheBodyByAFlag() async throws {
    var action = sigaction()
    action.sa_flags = SA_NOCLDWAIT
    unsafe sigaction(SIGCHLD, &action, nil)
    if isUnlucky { fatalError("the cart is gone") }
  }

  @Test(.simulated) func reapsAll() async throws {
    signal(SIGCHLD) { _ in while waitpid(-1, nil, WNOHANG) > 0 {} }
    if isUnlucky { fatalError("the cart is gone") }
  }

  @Suite(.serialized) struct Before {
    init() { signal(SIGCHLD, SIG_IGN) }

    @Test(.simulated) func traps() async throws {
      if Simulation.current?.choose(among: [false, true]) == true { fatalError("the cart is gone") }
    }

    @Test(.simulated) func exits() async throws {
      if Simulation.current?.choose(among: [false, true]) == true { exit(3) }
    }

    @Test(.simulated) func raises() async throws {
      if Simulation.current?.choose(among: [false, true]) == true { raise(SIGTERM) }
    }
  }
}
