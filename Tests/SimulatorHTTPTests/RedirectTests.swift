#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import Testing

  @Suite struct `A redirect of URLSession in a simulation` {
    /// Answers with a redirect where the query names a status and a place, else with what it was asked.
    private static let server = FakeHTTP(
      otherwise: FakeBehavior(delay: .seconds(1), replies: [.ok()])
    ) { request, _ in
      let query = URLComponents(url: request.url!, resolvingAgainstBaseURL: false)?.queryItems ?? []
      let values = Dictionary(uniqueKeysWithValues: query.map { ($0.name, $0.value ?? "") })
      var headers: [String: String] = [:]
      headers["Location"] = values["to"]
      headers["Set-Cookie"] = values["cookie"]
      let parts = [
        request.route, request.httpBody.map { String(decoding: $0, as: UTF8.self) },
        request.value(forHTTPHeaderField: "Cookie"),
      ]
      return .status(
        values["status"].flatMap(Int.init) ?? 200, parts.compactMap { $0 }.joined(separator: " "),
        headers: headers)
    }

    private static func ask(
      _ path: String, _ method: String = "GET", body: String? = nil, of session: URLSession = .shared
    ) async throws -> String {
      var request = URLRequest(url: SessionPrograms.at(path))
      request.httpMethod = method
      request.httpBody = body.map { Data($0.utf8) }
      let (data, response) = try await session.data(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      return "\(status) \(String(decoding: data, as: UTF8.self)) of \(response.url?.path ?? "")"
    }

    /// As Foundation on Linux was seen to do with a server of its own.
    @Test(arguments: [
      ("GET", "/old?status=302&to=https://example.org/new", "200 GET /new of /new"),
      ("GET", "/a/old?status=301&to=/new", "200 GET /new of /new"),
      ("GET", "/a/old?status=301&to=new", "200 GET /new of /new"),
      ("POST", "/old?status=302&to=/new", "200 GET /new of /new"),
      ("PUT", "/old?status=302&to=/new", "200 PUT /new of /new"),
      ("PUT", "/old?status=303&to=/new", "200 GET /new of /new"),
      ("POST", "/old?status=307&to=/new", "200 POST /new of /new"),
      ("GET", "/old?status=300&to=/new", "300 GET /old of /old"),
      ("GET", "/old?status=304&to=/new", "304 GET /old of /old"),
      ("GET", "/old?status=302", "302 GET /old of /old"),
    ]) func `is followed`(method: String, path: String, expected: String) {
      let (seen, report) = SessionPrograms.outcomes(of: Self.server, schedules: 20) {
        try await Self.ask(path, method, body: method == "GET" ? nil : "x")
      }
      #expect(report.violations.map(\.message) == [])
      #expect(Set(seen.map { $0.replacing(" x", with: "") }) == [expected])
      // A body is sent once.
      #expect(seen.allSatisfy { !$0.contains(" x") } || !expected.hasSuffix("/new"))
    }

    @Test func `takes the time of each exchange, and each may time out`() {
      let (seen, report) = SessionPrograms.outcomes(of: Self.server, schedules: 20) {
        let start = ContinuousClock.now
        var request = URLRequest(url: SessionPrograms.at("/old?status=302&to=/new"))
        request.timeoutInterval = 2
        _ = try await URLSession.shared.data(for: request)
        return "\(start.duration(to: .now))"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["2.0 seconds"])
    }

    @Test func `ends with an error where it leads nowhere`() {
      let circle = FakeHTTP(
        otherwise: FakeBehavior(replies: [.status(302, headers: ["Location": "/circle"])]))
      let (seen, report) = SessionPrograms.outcomes(of: circle, schedules: 20) {
        let before = circle.calls.count
        do {
          return try await Self.ask("/circle")
        } catch let error as URLError {
          return "\(error.code == .httpTooManyRedirects) after \(circle.calls.count - before)"
        }
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["true after 21"])
    }

    private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
      // @unchecked Sendable because the delegate queue is serial.
      private(set) var told: [String] = []
      let follows: Bool
      var waiting: CheckedContinuation<Void, Never>?

      init(follows: Bool) { self.follows = follows }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
      ) {
        told.append("\(response.statusCode) to \(request.url?.path ?? "")")
        completionHandler(follows ? request : nil)
      }
      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        told.append(String(decoding: data, as: UTF8.self))
      }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        told.append(error == nil ? "done" : "failed")
        waiting?.resume()
      }
    }

    @Test(arguments: [(true, "302 to /new, GET /new, done"), (false, "302 to /new, GET /old, done")])
    func `is up to the delegate of the session`(follows: Bool, told: String) {
      let (seen, report) = SessionPrograms.outcomes(of: Self.server) {
        let delegate = Delegate(follows: follows)
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        await withCheckedContinuation { waiting in
          delegate.waiting = waiting
          session.dataTask(with: SessionPrograms.at("/old?status=302&to=/new")).resume()
        }
        return delegate.told.joined(separator: ", ")
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == [told])
    }

    // MARK: cookies

    @Test func `stores a cookie for the next request, and for no other session`() {
      let (seen, report) = SessionPrograms.outcomes(of: Self.server, schedules: 20) {
        let session = URLSession(configuration: .ephemeral)
        _ = try await Self.ask("/set?status=302&to=/first&cookie=a%3D1", of: session)
        let second = try await Self.ask("/second", of: session)
        return "\(second), \(try await Self.ask("/third", of: URLSession(configuration: .ephemeral)))"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["200 GET /second a=1 of /second, 200 GET /third of /third"])
    }

    @Test func `shares a cookie among sessions that have the shared storage, in one execution`() {
      let before = HTTPCookieStorage.shared.cookies?.count ?? 0
      let (seen, report) = SessionPrograms.outcomes(of: Self.server, schedules: 20) {
        let first = try await Self.ask("/first")
        _ = try await Self.ask("/set?cookie=a%3D1")
        let second = try await Self.ask("/second", of: URLSession(configuration: .default))
        return "\(first), \(second), \(HTTPCookieStorage.shared.cookies?.map(\.name) ?? [])"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == [#"200 GET /first of /first, 200 GET /second a=1 of /second, ["a"]"#])
      #expect(HTTPCookieStorage.shared.cookies?.count ?? 0 == before)
    }

    @Test func `stores no cookie where the session accepts none`() {
      let (seen, report) = SessionPrograms.outcomes(of: Self.server, schedules: 20) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = .never
        let session = URLSession(configuration: configuration)
        _ = try await Self.ask("/set?cookie=a%3D1", of: session)
        return try await Self.ask("/second", of: session)
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["200 GET /second of /second"])
    }
  }
#endif
