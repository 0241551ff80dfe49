#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import Synchronization
  import Testing

  /// As Foundation on Linux was seen to do with a server of its own.
  @Suite struct `A challenge of URLSession in a simulation` {
    private static let server = FakeHTTP(
      otherwise: FakeBehavior(delay: .milliseconds(5), replies: [.ok()])
    ) { request, _ in
      let ada = "Basic " + Data("ada:secret".utf8).base64EncodedString()
      if request.value(forHTTPHeaderField: "Authorization") == ada { return .ok("welcome") }
      let scheme = request.url?.lastPathComponent == "token" ? "Bearer" : "Basic realm=\"home\""
      return .status(401, "who are you", headers: ["WWW-Authenticate": scheme])
    }

    /// Gives the credentials of one user after the other.
    private final class Doorman: NSObject, URLSessionTaskDelegate, Sendable {
      private let users: [String]
      private let then: URLSession.AuthChallengeDisposition
      private let asked = Mutex<[String]>([])

      var realms: [String] { asked.withLock(\.self) }

      init(_ users: [String] = [], then: URLSession.AuthChallengeDisposition) {
        (self.users, self.then) = (users, then)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
          @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        let realm = challenge.protectionSpace.realm ?? "none"
        asked.withLock { $0.append("\(realm) \(challenge.previousFailureCount)") }
        guard challenge.previousFailureCount < users.count else { return completionHandler(then, nil) }
        let user = users[challenge.previousFailureCount]
        completionHandler(
          .useCredential, URLCredential(user: user, password: "secret", persistence: .none))
      }
    }

    private static func outcomes(
      _ doorman: @escaping @Sendable () -> Doorman?, at path: String = "/door"
    ) -> (Set<String>, [String]) {
      let (seen, report) = SessionPrograms.outcomes(of: server, schedules: 20) {
        let doorman = doorman()
        let session = URLSession(configuration: .ephemeral, delegate: doorman, delegateQueue: nil)
        let answer: String
        do {
          let (data, _) = try await session.data(for: URLRequest(url: SessionPrograms.at(path)))
          answer = String(decoding: data, as: UTF8.self)
        } catch let error as URLError {
          answer = "error \(error.code.rawValue)"
        }
        return ((doorman?.realms ?? []) + [answer]).joined(separator: ", ")
      }
      return (Set(seen), report.violations.map(\.invariant))
    }

    @Test func `is answered by the delegate, and the request is sent again`() {
      let right = Self.outcomes { Doorman(["ada"], then: .performDefaultHandling) }
      #expect(right.0 == ["home 0, welcome"])
      let second = Self.outcomes { Doorman(["bob", "ada"], then: .performDefaultHandling) }
      #expect(second.0 == ["home 0, home 1, welcome"])
      #expect(right.1 + second.1 == [])
    }

    @Test func `cancels the task if the delegate refuses`() {
      let cancels = Self.outcomes { Doorman(then: .cancelAuthenticationChallenge) }
      let rejects = Self.outcomes { Doorman(then: .rejectProtectionSpace) }
      #expect(cancels.0 == ["home 0, error \(URLError.cancelled.rawValue)"])
      #expect(rejects.0 == cancels.0)
      #expect(cancels.1 + rejects.1 == [])
    }

    @Test func `that no delegate answers ends with a cancel, and nothing is left`() {
      let (seen, report) = SessionPrograms.outcomes(of: Self.server, schedules: 20) {
        let doorman = Doorman(then: .performDefaultHandling)
        let session = URLSession(configuration: .ephemeral, delegate: doorman, delegateQueue: nil)
        let task = Task { try await session.data(for: URLRequest(url: SessionPrograms.at("/door"))) }
        try await Task.sleep(for: .seconds(1))
        task.cancel()
        do {
          _ = try await task.value
          return "answered"
        } catch let error as URLError {
          return "error \(error.code.rawValue)"
        }
      }
      #expect(Set(seen) == ["error \(URLError.cancelled.rawValue)"])
      #expect(report.violations.map(\.invariant) == [])
      #expect(report.warnings == [])
    }

    // For real the request never ends.
    @Test func `that no delegate answers is never over, as on Linux`() {
      #expect(Self.outcomes { Doorman(then: .performDefaultHandling) }.1 == ["deadlock"])
      #expect(Self.outcomes { nil }.1 == ["deadlock"])
    }

    @Test func `is none where Foundation does not know the scheme`() {
      let (seen, violations) = Self.outcomes({ Doorman(then: .performDefaultHandling) }, at: "/token")
      #expect(seen == ["who are you"])
      #expect(violations == [])
    }
  }
#endif
