import Observation

/// Takes a snapshot of the session, and shows none that is older than what it shows.
@MainActor @Observable final class HardenedAccountModel: AccountModel {
  private(set) var screen = AccountScreen()
  @ObservationIgnored private let session: AccountSession

  init(_ session: AccountSession) {
    self.session = session
  }

  func refresh() async {
    let account = await session.snapshot  // guard: one-read
    let portrait = await session.portrait(of: account.name)  // guard: one-read
    let latest = AccountScreen(account, portrait)  // guard: one-read => let latest = await session.screen
    guard latest.version >= screen.version else { return }  // guard: newest-only
    screen = latest
  }
}

// Not guards: showing what the marked line has let through.
