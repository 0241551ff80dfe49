package import SimulatorFiles

/// The reason why a scenario file cannot be used.
package enum LoadingFault: Error, Equatable, Sendable, CustomStringConvertible {
  case unreadable(UnreadableFile)
  case wrong(Diagnostics)

  package var description: String {
    switch self {
    case .unreadable(let file): file.description
    case .wrong(let diagnostics): diagnostics.description
    }
  }
}

extension ScenarioFile {
  /// Reads and checks the file at `path`.
  package init(
    at path: String, in vocabulary: Vocabulary, mayLackExpectations: Bool = false
  ) throws(LoadingFault) {
    let bytes: [UInt8]
    do throws(UnreadableFile) {
      bytes = try SourceFile.bytes(of: path, limit: JSONLimits().bytes)
    } catch {
      throw .unreadable(error)
    }
    do throws(Diagnostics) {
      try self.init(bytes, named: path, in: vocabulary, mayLackExpectations: mayLackExpectations)
    } catch {
      throw .wrong(error)
    }
  }

  /// Checks the text of a file; throws all its errors at once.
  package init(
    _ bytes: [UInt8], named name: String, in vocabulary: Vocabulary, mayLackExpectations: Bool = false
  ) throws(Diagnostics) {
    self = try Checker.check(
      SourceText(bytes, named: name), in: vocabulary, mayLackExpectations: mayLackExpectations)
  }
}
