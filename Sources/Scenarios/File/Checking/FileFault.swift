/// Anything that can be wrong inside a scenario file.
enum FileFault: Error, Equatable, Sendable, CustomStringConvertible {
  case json(JSONFault)
  case value(ValueFault)
  case scenario(ScenarioFault)

  var description: String {
    switch self {
    case .json(let fault): fault.description
    case .value(let fault): fault.description
    case .scenario(let fault): fault.description
    }
  }
}
