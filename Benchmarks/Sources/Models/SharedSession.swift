import Simulator
import TwinPrograms

extension TwinProgram {
  /// An app and its widget share the tokens of one sign-in, which the server replaces whenever it refreshes them.
  static let sharedSession = TwinProgram(
    "shared session", "two actors, a lock between processes, a keychain, a server with rotating tokens",
    bug:
      "After a pause the lock is taken again, and the keychain is not read again: the refresh token may be spent.",
    deviations: 4
  ) { simulation, twin in
    let server = FakeAccountServer()
    let keychain = SharedKeychain()
    let app = Session("app", server, keychain, twin)
    let widget = Session("widget", server, keychain, twin)
    simulation.always("nobody is signed out") {
      server.assumeIsolated { $0.isRevoked } ? "a refresh token was used twice" : nil
    }
    try await keychain.save(await server.signIn())
    let using = Task {
      for pause in [[100, 40], [700, 450], [900, 300], [1200, 700]] {
        try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: pause)))
        _ = try? await app.load("inbox")
      }
    }
    let reloading = Task {
      for pause in [[150, 300], [1300, 700, 2100], [1100, 500]] {
        try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: pause)))
        _ = try? await widget.load("unread")
      }
    }
    _ = await (using.result, reloading.result)
  }
}

// MARK: - The app

private struct Tokens: Equatable, Sendable {
  let access: String
  /// Good for one refresh.
  let refresh: Int
}

private struct Unauthorized: Error {}

private protocol AccountService: Sendable {
  func load(_ page: String, access: String) async throws -> String
  func refresh(_ token: Int) async throws -> Tokens
}

/// One process’s view of the sign-in.
private actor Session {
  private let name: String
  private let service: any AccountService
  private let keychain: SharedKeychain
  private let twin: TwinProgram.Twin
  private var tokens: Tokens?
  private var refreshing: Task<Tokens, any Error>?

  init(_ name: String, _ service: any AccountService, _ keychain: SharedKeychain, _ twin: TwinProgram.Twin) {
    self.name = name
    self.service = service
    self.keychain = keychain
    self.twin = twin
  }

  func load(_ page: String) async throws -> String {
    let current = try await currentTokens()
    do {
      return try await service.load(page, access: current.access)
    } catch is Unauthorized {
      let fresh = try await refreshed(instead: current)
      return try await service.load(page, access: fresh.access)
    }
  }

  private func currentTokens() async throws -> Tokens {
    if let tokens { return tokens }
    let stored = try await keychain.tokens()
    tokens = stored
    return stored
  }

  /// Refreshes once, however many requests were refused.
  private func refreshed(instead rejected: Tokens) async throws -> Tokens {
    if let tokens, tokens != rejected { return tokens }
    let task = refreshing ?? Task { try await refresh(rejected) }
    refreshing = task
    defer { refreshing = nil }
    let fresh = try await task.value
    tokens = fresh
    return fresh
  }

  private func refresh(_ rejected: Tokens) async throws -> Tokens {
    await keychain.lock()
    defer { keychain.unlock() }
    // The other process may have been faster.
    var stored = try await keychain.tokens()
    for pause in [0, 0, 250, 500, nil] {
      if stored != rejected { return stored }
      do {
        let fresh = try await service.refresh(stored.refresh)
        try await keychain.save(fresh)
        return fresh
      } catch let failure as FakeNetwork.Failure {
        guard let pause else { throw failure }
        if pause == 0 { continue }
        // The other process is not to wait for so long.
        keychain.unlock()
        try? await Task.sleep(for: .milliseconds(pause))
        await keychain.lock()
        if twin == .mended { stored = try await keychain.tokens() }
      }
    }
    throw Unauthorized()
  }
}

// MARK: - The world around it

/// A keychain that processes share, and the lock file beside it.
private final class SharedKeychain: Sendable {
  private let file = LockFile()
  private let store = FakeStore([
    "read": [FakeBehavior(delay: .oneOf(.milliseconds(10), .milliseconds(60)))],
    "write": [FakeBehavior(delay: .oneOf(.milliseconds(15), .milliseconds(90)))],
  ])

  func lock() async { await file.lock() }

  func unlock() { Task { await file.unlock() } }

  func tokens() async throws -> Tokens {
    guard let tokens = try await store.read("tokens", as: Tokens.self) else { throw Unauthorized() }
    return tokens
  }

  func save(_ tokens: Tokens) async throws { try await store.write(tokens, for: "tokens") }
}

private actor LockFile {
  private var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    if isLocked { await withCheckedContinuation { waiting.append($0) } }
    isLocked = true
  }

  func unlock() {
    if waiting.isEmpty { isLocked = false } else { waiting.removeFirst().resume() }
  }
}

/// A server whose refresh tokens are good once: a client that shows one again is taken for a thief, and all are signed out.
private actor FakeAccountServer: CallRecording, AccountService {
  nonisolated let name = "account"
  private let recorder = CallRecorder(
    "account",
    [
      "load": [
        FakeBehavior(
          delay: .oneOf(.milliseconds(60), .milliseconds(200), .milliseconds(400)),
          replies: [.ok(), .offline])
      ],
      "refresh": [
        FakeBehavior(
          delay: .oneOf(.milliseconds(100), .milliseconds(350)), replies: [.ok(), .offline, .timedOut])
      ],
    ])
  private var current = 0
  private var expiry = ContinuousClock.now
  private(set) var isRevoked = false

  nonisolated var calls: [CallRecord] { recorder.calls }

  func signIn() -> Tokens {
    current += 1
    expiry = .now + .milliseconds(700)
    return Tokens(access: "access \(current)", refresh: current)
  }

  nonisolated(nonsending) func load(_ page: String, access: String) async throws -> String {
    try await recorder.call("load", .text(page)) { try await serve(page, access, $0) }
  }

  nonisolated(nonsending) func refresh(_ token: Int) async throws -> Tokens {
    try await recorder.call("refresh", .int(token)) { try await rotate(token, $0) }
  }

  private func serve(_ page: String, _ access: String, _ call: PendingCall) async throws -> String {
    try await call.end {
      try await call.arrive()
      if let error = call.reply.error { throw error }
      guard access == "access \(current)", .now < expiry, !isRevoked else { throw Unauthorized() }
      return page
    }
  }

  private func rotate(_ token: Int, _ call: PendingCall) async throws -> Tokens {
    try await call.end {
      try await call.arrive()
      if let error = call.reply.error { throw error }
      if token != current { isRevoked = true }
      if isRevoked { throw Unauthorized() }
      return signIn()
    }
  }
}
