internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  // Foundation does not export these, and its own protocols use them.
  extension URLSessionTask {
    /// The state of the task, read without Foundation's queue. Waiting for the queue would add a point at which others
    /// may run.
    var stateAsItIs: State? { Self.stateField?.value(in: self, as: State.self) }

    var ownSession: URLSession? { Self.sessionField?.value(in: self, as: URLSession.self) }

    // These are needed at every step of a request, so their offsets are looked up only once.
    private static let stateField = StoredField("_state", of: URLSessionTask.self)
    private static let sessionField = StoredField("session", of: URLSessionTask.self)

    /// The data that an upload task was given to send, which its request does not contain.
    var uploadedBody: Data? {
      guard let known = Mirror(reflecting: self).stored("knownBody"),
        let body = Mirror(reflecting: known).children.first?.value,
        let content = Mirror(reflecting: body).children.first?.value
      else { return nil }
      switch content {
      case let data as DispatchData: return Data(data)
      case let file as URL: return try? Data(contentsOf: file)
      default: return nil
      }
    }

    /// The delegate that is notified of the task's progress: its own, or its session's if nothing else waits for the
    /// task.
    var toldDelegate: (any URLSessionTaskDelegate)? { told?.delegate }

    /// The same delegate, and a flag that is true if a handler that gets the whole answer waits for the end of the
    /// task.
    var told: (delegate: any URLSessionTaskDelegate, sharesAnswer: Bool)? {
      guard let session = ownSession, let registry = Mirror(reflecting: session).stored("taskRegistry"),
        let behaviors = Mirror(reflecting: registry).stored("behaviours") as? [Int: Any],
        let behavior = behaviors[taskIdentifier]
      else { return nil }
      // A case without a value means that the session's delegate handles the task.
      guard let handlers = Mirror(reflecting: behavior).children.first?.value else {
        return (session.delegate as? any URLSessionTaskDelegate).map { ($0, false) }
      }
      return Mirror(reflecting: handlers).children.lazy
        .compactMap { $0.value as? any URLSessionTaskDelegate }.first.map { ($0, true) }
    }
  }

  extension Mirror {
    /// Returns the value of a stored property, including those of superclasses.
    func stored(_ name: String) -> Any? {
      children.first { $0.label == name }?.value ?? superclassMirror?.stored(name)
    }
  }
#endif
