import Scenarios
import Simulator

extension NamedValues {
  /// The kind of callback queue that the setting `name` asks for.
  func queueKind(_ name: String) throws -> FakeCallbackQueue.Kind {
    let text = string(name) ?? ""
    guard let kind = FakeCallbackQueue.Kind(rawValue: text) else { throw UnknownName(name, text) }
    return kind
  }

  /// What the setting `name` says becomes of a cancelled request's callback.
  func afterCancel(_ name: String) throws -> FakeCallbackQueue.AfterCancel {
    let text = string(name) ?? ""
    guard let fate = FakeCallbackQueue.AfterCancel(rawValue: text) else { throw UnknownName(name, text) }
    return fate
  }
}
