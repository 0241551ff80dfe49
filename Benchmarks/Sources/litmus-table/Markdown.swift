import Litmus

/// The table as a Markdown page that begins with the command that made it.
func markdown(_ sections: [Section], command: String) -> String {
  let rows = sections.flatMap(\.rows)
  return """
    # Litmus table

    ```sh
    \(command)
    ```

    Run in the folder `Benchmarks`. \(rows.count) tiny programs, \(rows.count { $0.litmus.isSilent }) of \
    them with one outcome: a race that cannot happen.

    - *Outcomes*: all that the runtime allows. ° arises only when a step runs while another is in its middle: split \
    steps reach it, whole steps do not. °° also needs the middle step to have woken nobody: only threads reach it. ✻ \
    needs memory that is weaker than sequentially consistent: no simulation reaches it.
    - *For real*, *in simulation*, *where steps overlap* (in simulation): the outcomes seen, with how often. Where timers \
    count, a fiftieth of the runs.
    - *Verdict*: ok, or which outcome is illegal, or missed though the program is small.


    """ + sections.map(text).joined(separator: "\n")
}

private func text(_ section: Section) -> String {
  let overlap =
    section.rows.contains { $0.overlapping != nil } ? (" where steps overlap |", " --- |") : ("", "")
  return """
    ## \(section.name)

    | program | outcomes | why | for real | in simulation |\(overlap.0) verdict |
    | --- | --- | --- | --- | --- |\(overlap.1) --- |
    \(section.rows.map { text($0, overlaps: !overlap.0.isEmpty) }.joined(separator: "\n"))

    """
}

private func text(_ row: Row, overlaps: Bool) -> String {
  let litmus = row.litmus
  let cells =
    [
      "**\(litmus.name)**<br>\(litmus.about)",
      litmus.outcomes.sorted().map { shown($0) + mark($0, litmus) }.joined(separator: "<br>"),
      litmus.why,
      list(row.real, by: "<br>"),
      list(row.simulated, by: "<br>"),
    ] + (overlaps ? [list(row.overlapping, by: "<br>")] : []) + [row.verdict]
  return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
}

private func mark(_ outcome: String, _ litmus: Litmus) -> String {
  if litmus.weakOnly.contains(outcome) { return "✻" }
  if litmus.preemptionOnly.contains(outcome) { return "°°" }
  return litmus.overlapOnly.contains(outcome) ? "°" : ""
}
