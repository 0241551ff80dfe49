import ScenarioFiles

extension CommandLineTool {
  /// The file that is read when the command line names none.
  static let defaultFile = "scenarios.json"

  /// `simrun check`: every error of every file, and every word that is called something else now.
  func check(_ files: [String]) throws -> ToolStatus {
    var status = ToolStatus.asExpected
    for name in named(files) {
      if let files = load(name) {
        for file in files {
          for former in file.formerWords {
            try terminal.line("\(Echo.plain(file.name)):\(former.position): note: \(former)")
          }
          try terminal.line(
            "\(Echo.plain(file.name)): \(file.scenarios.count.counted("scenario")), no errors")
        }
      } else {
        status = .usage
      }
    }
    return status
  }

  /// Reads all files and reports the errors in them, on standard output as annotations too where that is asked for; nil when
  /// there is an error.
  func load(
    _ files: [String], annotating: Bool = false, mayLackExpectations: Bool = false
  ) -> [ScenarioFile]? {
    let names = named(files)
    let loaded = names.compactMap {
      load($0, annotating: annotating, mayLackExpectations: mayLackExpectations)
    }
    return loaded.count == names.count ? loaded.flatMap(\.self) : nil
  }

  private func named(_ files: [String]) -> [String] {
    files.isEmpty ? [Self.defaultFile] : files
  }

  private func load(
    _ name: String, annotating: Bool = false, mayLackExpectations: Bool = false
  ) -> [ScenarioFile]? {
    do throws(LoadingFaults) {
      return try ScenarioFile.all(from: name, in: vocabulary, mayLackExpectations: mayLackExpectations)
    } catch {
      error.all.forEach(complain)
      // Where standard output fails, standard error has told all.
      if annotating { for fault in error.all { try? terminal.write(GitHubText.of(fault)) } }
      return nil
    }
  }

  /// Errors in a file begin with its name, so that an editor can jump there; others with the tool's.
  func complain(of fault: LoadingFault) {
    switch fault {
    case .wrong(let diagnostics): terminal.complaint("\(diagnostics)")
    case .unreadable(let file): terminal.error("\(file)")
    }
  }
}
