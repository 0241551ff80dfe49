internal import CConcurrencyHooks
internal import Foundation
public import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  extension FakeHTTP {
    /// Answers all requests of `URLSession` in `simulation` from now on: those of `URLSession.shared`, and of sessions
    /// with the configurations `.default` and `.ephemeral`, with `data(for:)`, `download(for:)`, completion handlers
    /// and delegates.
    ///
    /// ```swift
    /// let report = explore("profile") { simulation in
    ///   FakeHTTP(["GET /profile": [FakeBehavior(delay: .between(.zero, and: .seconds(5)))]]).interceptURLSession(in: simulation)
    ///   await Profile().load()  // asks `URLSession.shared`
    /// }
    /// ```
    ///
    /// The program is not changed. The session's own queues carry the answer, under the simulator's schedule. Its
    /// errors are `URLSession`'s own: `.cancelled` for a task that is cancelled, and `.timedOut` if an exchange takes
    /// longer than the `timeoutInterval` that was assigned to the request, or otherwise the `timeoutIntervalForRequest`
    /// of its session, in virtual time and whole seconds. A cancel after the answer was delivered changes nothing, as
    /// on Darwin, and neither does a second `resume`. Foundation on Linux may end the process then, which the
    /// simulation does not show.
    ///
    /// A download brings a file, which is removed when the execution ends unless it was moved. Redirects are followed,
    /// and the session's delegate is asked about them. Cookies are stored. Each execution has its own
    /// `HTTPCookieStorage.shared`.
    ///
    /// The last server on which this was called answers. Call it in the simulation. It is not available on Darwin,
    /// where a configuration cannot be reached this way. There, a session gets ``FakeHTTP`` through a protocol.
    public func interceptURLSession(in simulation: Simulation) {
      _ = FakeURLProtocol.isRegistered
      simulation.attach(self, named: FakeURLProtocol.name)
    }
  }

  @c @implementation
  func simulator_http_serves() -> Bool { FakeURLProtocol.server != nil }

  @c @implementation
  func simulator_http_runs(_ task: UnsafeMutableRawPointer) -> Bool {
    // Safe: the hook is called with the task that is to be resumed.
    unsafe Unmanaged<URLSessionTask>.fromOpaque(task).takeUnretainedValue().stateAsItIs == .running
  }

  @c @implementation
  func simulator_http_shared(_ real: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let name = "URLSession.shared"
    guard let simulation = Simulation.current, FakeURLProtocol.server != nil else { return nil }
    if let own = simulation.attached(name) as? URLSession {
      return unsafe Unmanaged.passRetained(own).toOpaque()
    }
    // Safe: the hook is called with the shared session of the process.
    let shared = unsafe Unmanaged<URLSession>.fromOpaque(real).takeUnretainedValue()
    guard let configuration = shared.configuration.copy() as? URLSessionConfiguration else { return nil }
    configuration.protocolClasses = [FakeURLProtocol.self] + (configuration.protocolClasses ?? [])
    configuration.httpCookieStorage = simulation.cookies
    let own = URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
    simulation.attach(own, named: name)
    return unsafe Unmanaged.passRetained(own).toOpaque()
  }

  @c @implementation
  func simulator_http_cookies() -> UnsafeMutableRawPointer? {
    guard FakeURLProtocol.server != nil, let own = Simulation.current?.cookies else { return nil }
    return unsafe Unmanaged.passRetained(own).toOpaque()
  }

  @c @implementation
  func simulator_http_configures(_ configuration: UnsafeMutableRawPointer, _ isDefault: Bool) {
    // Safe: the hook is called with a configuration that has just been made.
    let configuration = unsafe Unmanaged<URLSessionConfiguration>.fromOpaque(configuration)
      .takeUnretainedValue()
    configuration.protocolClasses = [FakeURLProtocol.self] + (configuration.protocolClasses ?? [])
    guard isDefault, FakeURLProtocol.server != nil else { return }
    configuration.httpCookieStorage = Simulation.current?.cookies
  }

  extension Simulation {
    /// The cookies of this execution. The shared storage is a file, so the next execution would find what this one
    /// stores there.
    fileprivate var cookies: HTTPCookieStorage? {
      let name = "HTTPCookieStorage.shared"
      if let own = attached(name) as? HTTPCookieStorage { return own }
      guard let own = URLSessionConfiguration.ephemeral.httpCookieStorage else { return nil }
      attach(own, named: name)
      return own
    }
  }
#endif
