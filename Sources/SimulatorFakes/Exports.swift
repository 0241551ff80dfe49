// The module that a user imports with this one: what a call, a fault and a trace are.
@_exported public import SimulatorCore
