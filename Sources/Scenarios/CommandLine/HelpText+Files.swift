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
    system, what it means, and a worked example for each. Of one SYSTEM it is much
    shorter, and fits files that play only that one. Or that of a report, as "simrun
    --format json" writes it: every key and what it means.

    Options:
    \(commonOptions)

    """
  }

  static var new: String {
    """
    Usage: \(usage(of: .new))

    Prints a scenario file of SYSTEM to start from, or makes FILE, which must not be
    there yet: its first actions, its world as it usually is, its settings, its
    invariants, and every variant with what it does there, for which the scenario is
    played. It runs at once, as expected. Then change it: what is late, what fails,
    what is done and when. "simrun schema SYSTEM" says what may stand there.

    Options:
    \(commonOptions)

    """
  }

  static var expect: String {
    """
    Usage: \(usage(of: .expect))

    For scenarios in FILE (\(CommandLineTool.defaultFile) unless named) that do not say under
    "expect" what each variant does, or have no "expect": searches those variants,
    each to the end of its schedules, and says what they violate. What a file says
    already is not looked at.

    It is what the code does, not what it should do: read it before you keep it.

    Options:
          --write           Write it to FILE; every other byte of it stays.
          --replace         Look at every variant, and with --write replace what
                            FILE says and is no longer so.
          --filter=GLOB     Only the scenarios whose names match; may be given
                            several times.
          --jobs=N          Search in N processes at the same time; one more
                            than there are processors unless said.
    \(commonOptions)

    Exit status:
      0  all was judged, and written where that was asked for
      2  the command line or a file is wrong, or a file cannot be written
      3  something could not be judged, or was not written in the end
    """ + "\n"
  }
}
