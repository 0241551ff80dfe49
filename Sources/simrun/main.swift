import Scenarios

CommandLineTool.main(systems: [])
