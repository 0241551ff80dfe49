internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  // What Foundation keeps to itself, and its own protocols ask.
  extension URLSessionTask {
    /// Foundation waits for a queue to tell its state, which would be one more place where others may come between.
    var stateAsItIs: State? { Self.stateField?.value(in: self, as: State.self) }

    var ownSession: URLSession? { Self.sessionField?.value(in: self, as: URLSession.self) }

    // Asked for at every step of a request, so their places are found once.
    private static let stateField = StoredField("_state", of: URLSessionTask.self)
    private static let sessionField = StoredField("session", of: URLSessionTask.self)

    /// What an upload task was given to send, which its request does not have.
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

    /// Who is told how it goes on: the delegate that was given to it, or its session's where nothing else waits for it.
    var toldDelegate: (any URLSessionTaskDelegate)? { told?.delegate }

    /// The same, and whether somebody waits for its end who is given all that came.
    var told: (delegate: any URLSessionTaskDelegate, sharesAnswer: Bool)? {
      guard let session = ownSession, let registry = Mirror(reflecting: session).stored("taskRegistry"),
        let behaviours = Mirror(reflecting: registry).stored("behaviours") as? [Int: Any],
        let behaviour = behaviours[taskIdentifier]
      else { return nil }
      // The case without a value is that of a task for which the session's delegate answers.
      guard let handlers = Mirror(reflecting: behaviour).children.first?.value else {
        return (session.delegate as? any URLSessionTaskDelegate).map { ($0, false) }
      }
      return Mirror(reflecting: handlers).children.lazy
        .compactMap { $0.value as? any URLSessionTaskDelegate }.first.map { ($0, true) }
    }
  }

  extension Mirror {
    /// The value of a stored property, the superclasses' too.
    func stored(_ name: String) -> Any? {
      children.first { $0.label == name }?.value ?? superclassMirror?.stored(name)
    }
  }
#endif
