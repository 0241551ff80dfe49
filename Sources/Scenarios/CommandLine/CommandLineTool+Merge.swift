import SimulatorFiles

extension CommandLineTool {
  /// `simrun merge`: reads all reports before anything is written.
  func merge(_ options: MergeOptions) throws -> ToolStatus {
    let read = Set(options.files.map(FileLink.identity))
    for output in options.outputs.files where read.contains(FileLink.identity(of: output.path)) {
      throw CommandLineFault.outputOver(.report, output.path)
    }
    do throws(WriteFault) {
      for output in options.outputs.files { try AtomicFile(output.path).check() }
    } catch {
      throw CommandLineFault.unwritable(error)
    }
    let report: RunReport
    do throws(MergeFault) {
      report = try Merge.report(of: options.files, partial: options.isPartial)
    } catch {
      terminal.error("\(error)")
      return .usage
    }
    return try report.deliver(to: options.outputs, on: terminal)
  }
}
