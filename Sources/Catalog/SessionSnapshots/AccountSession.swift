/// What a session is at one moment. Each change makes a new version.
struct AccountSnapshot: Hashable, Sendable {
  var version = 0
  var isSignedIn = false
  var name: String?
  var unread = 0
}

struct Portrait: Hashable, Sendable {
  let name: String
}

/// Who is signed in, and how many messages wait.
actor AccountSession {
  private(set) var snapshot = AccountSnapshot()
  private let portraits: any PortraitService

  init(portraits: any PortraitService) {
    self.portraits = portraits
  }

  func signIn(as name: String) {
    snapshot = AccountSnapshot(version: snapshot.version + 1, isSignedIn: true, name: name)
  }

  func signOut() {
    snapshot = AccountSnapshot(version: snapshot.version + 1)
  }

  func receiveMessage() {
    guard snapshot.isSignedIn else { return }
    snapshot.version += 1
    snapshot.unread += 1
  }

  /// None where nobody is named, or it cannot be had.
  func portrait(of name: String?) async -> Portrait? {
    guard let name else { return nil }
    return try? await portraits.portrait(of: name)
  }
}

/// What the account screen shows.
struct AccountScreen: Hashable, Sendable {
  var version = 0
  var isSignedIn = false
  var portrait: Portrait?
  var name: String?
  var unread = 0
}

extension AccountScreen {
  init(_ account: AccountSnapshot, _ portrait: Portrait?) {
    self.init(
      version: account.version, isSignedIn: account.isSignedIn, portrait: portrait, name: account.name,
      unread: account.unread)
  }
}

/// The model behind the screen.
@MainActor protocol AccountModel: AnyObject {
  var screen: AccountScreen { get }
  /// The session has changed.
  func refresh() async
}

// MARK: - Seams

protocol PortraitService: Sendable {
  func portrait(of name: String) async throws -> Portrait
}
