// What a strategy is comes with the strategies.
@_exported public import SimulatorStrategyInterface
