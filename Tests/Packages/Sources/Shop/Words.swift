// The plain names that an app may have for things of its own.

/// What the shop has a word for.
public protocol Word: Sendable {
  init()
}

public struct Event: Word { public init() {} }
public struct Action: Word { public init() {} }
public struct Call: Word { public init() {} }
public struct Value: Word { public init() {} }
public struct Outcome: Word { public init() {} }
public struct Report: Word { public init() {} }
public struct Share: Word { public init() {} }
public struct Reply: Word { public init() {} }
public struct Race: Word { public init() {} }
public struct Budget: Word { public init() {} }
public struct Portfolio: Word { public init() {} }
public struct Trace: Word { public init() {} }
public struct Schedule: Word { public init() {} }
public struct Choice: Word { public init() {} }
public struct Candidate: Word { public init() {} }
public struct Strategy: Word { public init() {} }
public struct Fault: Word { public init() {} }
public struct Violation: Word { public init() {} }
public struct Invariant: Word { public init() {} }
public struct Judge: Word { public init() {} }
public struct Monitor: Word { public init() {} }
public struct Timeline: Word { public init() {} }
public struct Explanation: Word { public init() {} }
public struct Execution: Word { public init() {} }
public struct Isolation: Word { public init() {} }
public struct Behaviour: Word { public init() {} }
public struct Behavior: Word { public init() {} }
public struct Timing: Word { public init() {} }
public struct NetworkRequest: Word { public init() {} }
public struct NetworkResponse: Word { public init() {} }
public struct KeyValueStore: Word { public init() {} }
public struct NetworkTransport: Word { public init() {} }
public struct Replay: Word { public init() {} }
public struct Feedback: Word { public init() {} }
public struct Pick: Word { public init() {} }
public struct Exhaustion: Word { public init() {} }
public struct Coverage: Word { public init() {} }
public struct Diagnosis: Word { public init() {} }
public struct SharedObject: Word { public init() {} }
public struct Explorer: Word { public init() {} }
public struct Shrinking: Word { public init() {} }
public struct Wholes: Word { public init() {} }
public struct BuiltIn: Word { public init() {} }
public struct CodePlace: Word { public init() {} }
public struct ProcessLimits: Word { public init() {} }
public struct System: Word { public init() {} }
public struct World: Word { public init() {} }
public struct Observed: Word { public init() {} }
