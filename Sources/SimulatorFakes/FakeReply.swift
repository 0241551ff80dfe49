/// A reply of a ``FakeNetwork``.
public struct FakeReply: Sendable {
  /// Its name in traces and scenario files.
  public let name: String
  /// The HTTP status.
  public let status: Int
  /// The body as text.
  public let body: String
  /// The HTTP header fields.
  public let headers: [String: String]
  /// The error that is thrown instead of an answer.
  public let error: (any Error)?
  /// The way in which the body arrives in pieces; nil if it arrives at once.
  var pieces: Pieces?

  /// Returns an answer with a status and a body. It is called `name`, or by its status if that is nil.
  public static func status(
    _ status: Int, _ body: String = "", headers: [String: String] = [:], named name: String? = nil
  ) -> FakeReply {
    FakeReply(name: name ?? String(status), status: status, body: body, headers: headers, error: nil)
  }

  /// Status 200 with a body.
  public static func ok(_ body: String = "") -> FakeReply { .status(200, body, named: "ok") }

  /// Returns a reply without an answer: `error` is thrown.
  public static func failure(_ error: any Error, named name: String) -> FakeReply {
    FakeReply(name: name, status: 0, body: "", headers: [:], error: error)
  }

  /// There is no connection: ``FakeNetwork/Failure/offline`` is thrown.
  public static let offline = FakeReply.failure(FakeNetwork.Failure.offline, named: "offline")

  /// No answer came in time: ``FakeNetwork/Failure/timedOut`` is thrown.
  public static let timedOut = FakeReply.failure(FakeNetwork.Failure.timedOut, named: "timed-out")

  /// The connection broke off: ``FakeNetwork/Failure/connectionLost`` is thrown.
  public static let connectionLost = FakeReply.failure(
    FakeNetwork.Failure.connectionLost, named: "connection-lost")
}

extension FakeReply: CustomStringConvertible {
  public var description: String { name }
}

extension FakeNetwork {
  /// The reason that no answer came.
  public enum Failure: String, Error, Hashable, Sendable, CustomStringConvertible {
    case offline
    case timedOut = "timed out"
    case connectionLost = "connection lost"

    /// The failure in words.
    public var description: String { rawValue }
  }
}
