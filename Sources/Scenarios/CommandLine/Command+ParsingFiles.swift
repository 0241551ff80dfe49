// What makes scenario files, and adds to them.

extension Command {
  static func newOptions(_ operands: [String]) throws(CommandLineFault) -> NewOptions {
    guard let system = operands.first else { throw .missingOperand("SYSTEM", command: .new) }
    try refuseExtra(operands, limit: 2, command: .new)
    return NewOptions(system: system, path: operands.dropFirst().first)
  }

  static func expectOptions(
    files: [String], _ scanner: ArgumentScanner
  ) throws(CommandLineFault) -> ExpectOptions {
    var expect = ExpectOptions(files: files)
    for (option, value) in scanner.options {
      switch option {
      case .filter: expect.filters.append(try glob(value))
      case .write: expect.writes = true
      case .replace: expect.replaces = true
      case .jobs: expect.pool.jobs = try number(value, PoolSettings.jobLimits, of: option)
      default: break
      }
    }
    return expect
  }
}
