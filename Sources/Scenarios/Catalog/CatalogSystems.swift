/// The systems of this package.
public enum CatalogSystems {
  /// All of them, in the order in which they are explained.
  public static let all: [any System.Type] = [
    InboxRefresh.self, SlowDismiss.self, WriteAfterFetch.self, SameThingAtOnce.self, CancelMidWrite.self,
    StateOffMain.self,
  ]
}
