// What a user writes systems with; it comes with this module.
@_exported public import ScenarioFiles
