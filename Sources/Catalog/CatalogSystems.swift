public import Scenarios

/// The systems of this package.
public enum CatalogSystems {
  /// All of them, in the order in which they are explained.
  public static let all: [any System.Type] = [
    FlightStatus.self, InboxRefresh.self, SlowDismiss.self, WriteAfterFetch.self, SameThingAtOnce.self,
    CancelMidWrite.self,
    NetworkClient.self, TokenRefresh.self, CachedStore.self,
    OneOwner.self, EvictingCache.self, LockedCache.self, HeavyDecoding.self, EveryLayer.self,
    ScreenplayLoad.self,
    Purchase.self, SharedBox.self, Download.self, SignIn.self, SessionSnapshots.self,
    TwoInParallel.self, TwoOnAQueue.self, SerialAgainstParallel.self, CallbackBridge.self,
    SearchAsYouType.self, TestOfSearch.self, TwoRequestsRace.self,
    ScreenLifetimes.self, LogOut.self, LongComputation.self, DetachedWork.self, StateOffMain.self,
    ReducerWithEffects.self, MergeAndConcatenate.self, EffectsInFlight.self, StateChanges.self,
  ]
}
