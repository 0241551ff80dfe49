/// Stands where the engine will be: it runs nothing and says so.
struct UnlinkedEngine: ScenarioEngine {
  struct NotLinked: Error, CustomStringConvertible {
    var description: String {
      "the engine is not linked into this tool; it can list, check and print the schema"
    }
  }

  func run(_ request: RunRequest, on terminal: Terminal) throws -> ToolStatus { throw NotLinked() }

  func replay(_ request: ReplayRequest, on terminal: Terminal) throws -> ToolStatus { throw NotLinked() }
}
