/// Who is signed in, if anybody.
enum SignInState: Hashable, Sendable {
  case loggedOut, loggingIn(account: Int), loggedIn(account: Int)
}

/// The session of an app. What is not allowed in the present state throws.
protocol SignInSession: Actor {
  var state: SignInState { get }
  /// Signs in where nobody is.
  func signIn(to account: Int) async throws
  /// Signs out the user who is signed in, or is about to be.
  func signOut() throws
}

enum SignInError: Error, Hashable {
  case notAllowed(in: SignInState)
  /// The user signed out before it was done.
  case signedOut
}

// MARK: - Seams

protocol SignInService: Sendable {
  /// Throws when the server refuses, or cannot be asked.
  func authenticate(account: Int) async throws
}
