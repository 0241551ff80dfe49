/// How descriptors can contradict themselves: a mistake in the program, found before any file is read.
enum DescriptorFlaw: Error, Equatable, Sendable {
  case empty(system: String, what: String)
  case repeated(system: String, what: String, name: String)
  case reservedArgument(system: String, action: String, name: String)
  case wrongDefault(system: String, parameter: String)
  case missingDefault(system: String, setting: String)
  case clashesWithBuiltIn(system: String, invariant: String)
}

extension DescriptorFlaw: CustomStringConvertible {
  var description: String {
    switch self {
    case .empty(let system, let what): "the descriptor of \(Echo.quoted(system)) has no \(what); give it one"
    case .repeated(let system, let what, let name):
      "the descriptor of \(Echo.quoted(system)) has two \(what) named \(Echo.quoted(name)); rename one"
    case .reservedArgument(let system, let action, let name):
      "in the descriptor of \(Echo.quoted(system)), \(Echo.quoted(action)) has an argument \(Echo.quoted(name)), "
        + "which every script line has already; rename it"
    case .wrongDefault(let system, let parameter):
      "in the descriptor of \(Echo.quoted(system)), the default of \(Echo.quoted(parameter)) is not of its kind"
    case .missingDefault(let system, let setting):
      "in the descriptor of \(Echo.quoted(system)), the setting \(Echo.quoted(setting)) has no default; give it one"
    case .clashesWithBuiltIn(let system, let invariant):
      "the descriptor of \(Echo.quoted(system)) lists \(Echo.quoted(invariant)), which is checked in every system; remove it"
    }
  }
}
