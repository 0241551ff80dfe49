import ReadingListSystems
import Scenarios

CommandLineTool.main(systems: [ReadingListSystem.self])
