/// Sends mail: the seam of the app.
public protocol Mailer: Sendable {
  nonisolated(nonsending) func send(_ letter: String) async throws
}

/// Welcomes a customer, once.
public protocol Greeter: Sendable {
  func welcome(_ customer: String) async throws
}

/// Remembers whom it has welcomed when the mail is on its way.
public actor FirstGreeter: Greeter {
  private let mailer: any Mailer
  private var welcomed: Set<String> = []

  public init(mailer: any Mailer) {
    self.mailer = mailer
  }

  public func welcome(_ customer: String) async throws {
    guard !welcomed.contains(customer) else { return }
    try await mailer.send("Welcome, \(customer)")
    welcomed.insert(customer)
  }
}

/// Remembers it before, and forgets it again when the mail could not be sent.
public actor CarefulGreeter: Greeter {
  private let mailer: any Mailer
  private var welcomed: Set<String> = []

  public init(mailer: any Mailer) {
    self.mailer = mailer
  }

  public func welcome(_ customer: String) async throws {
    guard welcomed.insert(customer).inserted else { return }
    do {
      try await mailer.send("Welcome, \(customer)")
    } catch {
      welcomed.remove(customer)
      throw error
    }
  }
}
