import Scenarios

CommandLineTool.main(systems: [GreeterSystem.self])
