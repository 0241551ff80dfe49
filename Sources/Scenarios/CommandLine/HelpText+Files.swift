extension HelpText {
  static var check: String {
    """
    Usage: \(usage(of: .check))

    Reports every error in FILE (\(CommandLineTool.defaultFile) unless named), each with its line
    and column, and runs nothing. Exits with 2 if there is one.

    Options:
    \(commonOptions)

    """
  }

  static var schema: String {
    """
    Usage: \(usage(of: .schema))

    Prints the JSON Schema (draft 2020-12) of a scenario file: every name of every
    system, what it means, and a worked example for each. Or that of a report, as
    "simrun --format json" writes it: every key and what it means.

    Options:
    \(commonOptions)

    """
  }
}
