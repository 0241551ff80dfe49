// The names of `Simulator` that `import SimulatorTesting` or `import SimulatorXCTest` shows a test, one a line.
//
// A test's own module has names too. A type in this list hides one of the same name in the test's module, so the list
// has only names that are plainly ours, and no function. A test that needs more imports `Simulator` itself. Types
// nested in a listed type, and every member, come along without a line. So do the values of types that are not listed,
// by a leading dot: `replies: [.ok(), .offline]`.

@_exported public import struct Simulator.CallRecord
@_exported public import class Simulator.CallRecorder
@_exported public import protocol Simulator.CallRecording
@_exported public import struct Simulator.FakeBehavior
@_exported public import class Simulator.FakeCallbackQueue
@_exported public import struct Simulator.FakeConnection
@_exported public import class Simulator.FakeDecoder
@_exported public import class Simulator.FakeEventSource
@_exported public import enum Simulator.FakeFault
@_exported public import class Simulator.FakeIDs
@_exported public import struct Simulator.FakeKeyboard
@_exported public import class Simulator.FakeNetwork
@_exported public import struct Simulator.FakeRandomNumbers
@_exported public import struct Simulator.FakeReply
@_exported public import class Simulator.FakeStore
@_exported public import class Simulator.FakeSyncStore
@_exported public import enum Simulator.FakeTiming
@_exported public import class Simulator.FakeTokenService
@_exported public import class Simulator.FakeView
@_exported public import struct Simulator.InjectedFault
@_exported public import struct Simulator.PendingCall
@_exported public import struct Simulator.ReceivedCalls
@_exported public import protocol Simulator.SimulatedFake
@_exported public import class Simulator.Simulation
@_exported public import struct Simulator.VirtualClock
@_exported public import struct Simulator.VirtualInstant
