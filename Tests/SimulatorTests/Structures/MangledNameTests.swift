// Release builds are not testable from outside.
#if DEBUG
  import Testing

  @testable import SimulatorCore
  @testable import SimulatorFakes

  /// The names are what the compiler makes of the functions in the comments.
  @Suite struct `What a mangled name tells` {
    @Test(arguments: [
      // Game.FakeServer.save() async
      ("$s4Game10FakeServerC4saveyyYaF", "Game"),
      // SimulatorGame.Account.save() async
      ("$s13SimulatorGame7AccountC4saveyyYaFTQ1_", "SimulatorGame"),
      // Game.(Account in _2612…).save() async
      ("$s4Game7Account33_2612C63C2199C6BB155EB7BD67449889LLC4saveyyYaF", "Game"),
      // closure #1 in Game.load() async
      ("$s4Game4loadyyYaFyyYacfU_TY0_", "Game"),
      // (extension in SimulatorGame):Simulator.FakeNetwork.save() async
      ("$s14SimulatorFakes11FakeNetworkC0A4GameE4saveyyYaF", "SimulatorGame"),
      // (extension in Game):Swift.Array.save() async
      ("$sSa4GameE4saveyyYaF", "Game"),
      // Simulator.FakeNetwork.save() async
      ("$s9Simulator11FakeNetworkC4saveyyYaF", "Simulator"),
    ])
    func `its function's module, which an extension's overrides`(name: String, module: String) {
      #expect(MangledName(name).module == module)
    }

    @Test func `a C function has no module`() {
      #expect(MangledName("swift_task_switch").module == nil)
    }

    @Test func `the type around its function`() {
      #expect(MangledName("$s14SimulatorFakes11FakeNetworkC0A4GameE4saveyyYaF").type == FakeNetwork.self)
      #expect(MangledName("$s9Simulator11FakeNetworkC4KindO4saveyyYaF").type == nil)
      #expect(MangledName("$s4Game4loadyyYaF").type == nil)
    }
  }
#endif
