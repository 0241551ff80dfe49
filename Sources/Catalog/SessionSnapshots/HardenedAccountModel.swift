import Observation

/// Takes a snapshot of the session, and shows none that is older than what it shows. The portrait comes later: name and count do not
/// wait for it, and one that is there stays.
@MainActor @Observable final class HardenedAccountModel: AccountModel {
  private(set) var screen = AccountScreen()
  @ObservationIgnored private let session: AccountSession

  init(_ session: AccountSession) {
    self.session = session
  }

  func refresh() async {
    let account = await session.snapshot
    let portrait = screen.name == account.name ? screen.portrait : nil
    let latest = AccountScreen(account, portrait)  // guard: one-read => let latest = await session.screen
    guard latest.version >= screen.version else { return }
    screen = latest
    guard screen.portrait == nil, let portrait = await session.portrait(of: account.name) else { return }
    if screen.name == account.name { screen.portrait = portrait }
  }
}

// Not guards: passing an older snapshot over; showing what the marked line has let through.
