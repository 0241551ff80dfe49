import OutboxSystems
import Scenarios

CommandLineTool.main(systems: [OutboxSystem.self])
