import Simulator

extension FakeCallbackQueue: HeadphonesRadio {
  nonisolated func connect(_ completion: @escaping ConnectionCallback) -> any ConnectionAttempt {
    request("connect", serving: { _ in }, completion: completion)
  }
}

extension FakeCallbackQueue.Handle: ConnectionAttempt {}
