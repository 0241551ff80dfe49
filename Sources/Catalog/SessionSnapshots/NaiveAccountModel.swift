import Observation

extension AccountSession {
  /// Looks like one value, and is half of it read before the portrait is waited for, half of it after.
  var screen: AccountScreen {
    get async {
      await AccountScreen(
        version: snapshot.version, isSignedIn: snapshot.isSignedIn, portrait: portrait, name: snapshot.name,
        unread: snapshot.unread)
    }
  }

  private var portrait: Portrait? {
    get async { await portrait(of: snapshot.name) }
  }
}

/// Shows what the session's property answers. Whichever refresh is last to finish wins.
@MainActor @Observable final class NaiveAccountModel: AccountModel {
  private(set) var screen = AccountScreen()
  @ObservationIgnored private let session: AccountSession

  init(_ session: AccountSession) {
    self.session = session
  }

  func refresh() async {
    screen = await session.screen
  }
}
