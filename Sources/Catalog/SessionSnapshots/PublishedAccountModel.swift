import Observation

/// Takes a snapshot of the session. Whichever refresh is last to finish wins.
@MainActor @Observable final class PublishedAccountModel: AccountModel {
  private(set) var screen = AccountScreen()
  @ObservationIgnored private let session: AccountSession

  init(_ session: AccountSession) {
    self.session = session
  }

  func refresh() async {
    let account = await session.snapshot
    screen = AccountScreen(account, await session.portrait(of: account.name))
  }
}
