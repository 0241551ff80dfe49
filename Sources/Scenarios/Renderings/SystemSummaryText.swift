import ScenarioFiles

/// All systems, a line of 80 columns each: the name and the beginning of the summary.
struct SystemSummaryText {
  let descriptors: [SystemDescriptor]

  var text: String {
    let column = (descriptors.map(\.name.count).max() ?? 0) + 2
    let lines = descriptors.map { descriptor in
      descriptor.name + String(repeating: " ", count: column - descriptor.name.count)
        + Self.cut(descriptor.summary, to: TwoColumns.width - column)
    }
    return (lines + ["", "simrun list SYSTEM explains one of them."]).joined(separator: "\n") + "\n"
  }

  /// The words of `text` that fit, with an ellipsis if some do not.
  private static func cut(_ text: String, to width: Int) -> String {
    let lines = TwoColumns.wrapped(text, width: width)
    guard lines.count > 1 else { return lines.first ?? "" }
    return (TwoColumns.wrapped(text, width: width - 2).first ?? "") + " …"
  }
}
