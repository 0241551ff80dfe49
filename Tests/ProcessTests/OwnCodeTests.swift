import CConcurrencyHooks
import Foundation
import Testing

/// Accesses to memory below the simulator's own functions are not the program's, and are not followed.
@Suite struct `The simulator's own code` {
  @Test(arguments: [
    "$s15SimulatorKernel9SchedulerC4loopyyF", "$s9Simulator8ExplorerV7exploreAC6ReportVyF",
    "$s14SimulatorFakes11FakeNetworkC5fetchyySSYaF", "$sSD8_VariantV5merge13SimulatorCore10CallRecordV_Tg5",
  ])
  func `is known by the module that its name begins with`(_ name: String) {
    #expect(ch_is_own_function(name))
  }

  @Test(arguments: [
    "$s4Game4playyy15SimulatorKernel10SimulationCYaF",
    "$s4Game4mainyy9Simulator10SimulationCYaYbKcfU_yyYacfU_",
    "$s14SimulatorTests5CountC3addyyF", "$s13SimulatorGame4playyyF", "$sSS5countSivg",
    "$s15SimulatorKernel10SimulationCs5Error_pIeghHgzo_ACsAD_pIegHnzo_TR",
  ])
  func `is not a program's function that takes a simulation, nor a module with a similar name`(_ name: String)
  {
    #expect(!ch_is_own_function(name))
  }

  @Test func `is every module of the package but the catalog`() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { !$0.hasPrefix("C") && $0 != "simrun" }
    #expect(modules.count > 8)
    for module in modules { #expect(ch_is_own_module(module), "\(module)") }
  }
}
