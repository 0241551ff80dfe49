// The modules that a user imports with this one.
@_exported public import SimulatorCore
@_exported public import SimulatorFakes
@_exported public import SimulatorInvariants
@_exported public import SimulatorKernel
