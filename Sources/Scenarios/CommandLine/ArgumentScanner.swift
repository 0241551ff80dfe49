/// Separates options from operands in the GNU manner: in any order, `--option value` or `--option=value`, and
/// nothing but operands after `--`.
struct ArgumentScanner {
  private(set) var operands: [String] = []
  private(set) var options: [(option: Option, value: String)] = []

  init(_ arguments: [String], of command: CommandName?) throws(CommandLineFault) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      if argument.hasPrefix("-") && argument != "-" {
        try scan(argument, &rest, of: command)
      } else {
        operands.append(argument)
      }
    }
  }

  func contains(_ option: Option) -> Bool {
    options.contains { $0.option == option }
  }

  private mutating func scan(
    _ argument: String, _ rest: inout ArraySlice<String>, of command: CommandName?
  ) throws(CommandLineFault) {
    let allowed = Option.all(of: command)
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    let name = parts[0] == "-h" ? Option.help.rawValue : parts[0]
    guard let option = Option(rawValue: name), allowed.contains(option) else {
      throw .unknownOption(parts[0], allowed: allowed.map(\.rawValue))
    }
    guard option.takesValue(in: command) else {
      guard parts.count == 1 else { throw .unexpectedValue(option: name) }
      return options.append((option, ""))
    }
    guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else { throw .missingValue(option: name) }
    options.append((option, value))
  }
}
