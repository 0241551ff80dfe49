/// A type that stands for the outside world in a simulation.
///
/// Its steps and functions are not part of the program under test: a timeline shows the calls to it, not the steps in
/// it, and a race is never reported for two tasks that met there. Every ``CallRecording`` fake is one. An actor that is
/// a fake and keeps no calls declares it:
///
/// ```swift
/// extension Weather: SimulatedFake {}
/// ```
public protocol SimulatedFake {}
