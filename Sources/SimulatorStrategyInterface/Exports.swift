// Strategies receive schedules and instants.
@_exported public import SimulatorCore
