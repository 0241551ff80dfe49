extension HelpText {
  static var replay: String {
    """
    Usage: \(usage(of: .replay))

    Replays the schedule TOKEN of one scenario and variant, and shows what happens
    as a timeline: virtual time at the left, one column for each domain.

    It runs in a process that has run nothing before.

    Exits with 0 if the same invariant is violated with the same digest, and if
    every recorded choice is met and nothing is violated any more.

    Options:
          --record=PATH     Where FILE is "\(CommandLineTool.madeUp)": write the story to the new file
                            PATH, as an ordinary scenario: see "simrun fuzz --help".
          --output=html=PATH
                            Write a page for a browser to PATH too.
    \(commonOptions)

    """
  }

  static var trace: String {
    """
    Usage: \(usage(of: .trace))

    Shows the schedule TOKEN of one scenario and variant as a timeline, as
    "simrun replay" does, or the natural order where no TOKEN is given: also where
    nothing breaks. The last line has the token of what is shown.

    It runs in a process that has run nothing before.

    Exits with 0 if the schedule was run, whatever breaks in it, and with 1 if the
    program no longer does what TOKEN says.

    Options:
          --output=html=PATH
                            Write a page for a browser to PATH too.
    \(commonOptions)

    """
  }

  static var audit: String {
    """
    Usage: \(usage(of: .audit))

    Plays each variant of each scenario in FILE (\(CommandLineTool.defaultFile) unless named) in the
    natural order, and shows in a table whether the rules of the boundaries hold:
    among them no work on the main actor's time, network and store with owners of
    their own, a cancel that reaches every call, and every task owned. The exit
    status is 1 if a variant breaks a rule that its system's descriptor does not
    name, or breaks one that it names in no scenario.

    With SCENARIO, shows in detail which layer is asked from which domain, how
    often, and where a rule is broken. A rule that the system does not ask for is
    advice. The exit status is 1 if a variant breaks a rule there that the
    descriptor does not name.

    Options:
    \(commonOptions)

    """
  }
}
