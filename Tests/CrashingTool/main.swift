import Scenarios

CommandLineTool.main(systems: [Visits.self, Shared.self])
