import SimulatorFiles

extension ScenarioFile {
  /// Reads and checks the file at `path` and all that it includes: itself first, then each in the order in
  /// which it is named. Throws all that is wrong with any of them.
  package static func all(
    from path: String, in vocabulary: Vocabulary, mayLackExpectations: Bool = false
  ) throws(LoadingFaults) -> [ScenarioFile] {
    var gathering = Gathering(vocabulary: vocabulary, mayLackExpectations: mayLackExpectations)
    gathering.gather(path, namedAt: nil)
    gathering.compareNames()
    guard gathering.faults.isEmpty else { throw LoadingFaults(all: gathering.faults) }
    return gathering.files
  }
}

/// The reasons why scenario files cannot be used; never empty.
package struct LoadingFaults: Error, Equatable, Sendable, CustomStringConvertible {
  package let all: [LoadingFault]

  package var description: String { all.map(\.description).joined(separator: "\n") }
}

/// The files that have been read so far.
private struct Gathering {
  let vocabulary: Vocabulary
  let mayLackExpectations: Bool
  private(set) var files: [ScenarioFile] = []
  private(set) var faults: [LoadingFault] = []
  private var visited: Set<String> = []
  private var bytes = 0
  private var isFull = false

  /// What all files together may ask of their reader.
  private static let mostFiles = 1_000
  private static let mostBytes = 64 << 20

  init(vocabulary: Vocabulary, mayLackExpectations: Bool) {
    self.vocabulary = vocabulary
    self.mayLackExpectations = mayLackExpectations
  }

  /// Where a file names another.
  struct Mention {
    let file: String
    let position: SourcePosition
  }

  mutating func gather(_ path: String, namedAt mention: Mention?) {
    visited.insert(Self.identity(of: path))
    do throws(LoadingFault) {
      let file = try ScenarioFile(at: path, in: vocabulary, mayLackExpectations: mayLackExpectations)
      files.append(file)
      bytes += file.bytes.count
      for include in file.includes where !isFull { follow(include, in: file) }
    } catch {
      guard let mention, case .unreadable(let unreadable) = error else { return faults.append(error) }
      complain(.unreadable(unreadable), at: mention)
    }
  }

  private mutating func follow(_ include: ScenarioFile.Include, in file: ScenarioFile) {
    let mention = Mention(file: file.name, position: include.position)
    let path = FileLink.beside(file.name, include.path)
    let folder = FileLink.folder(of: file.name)
    let identity = Self.identity(of: path)
    if visited.contains(identity) {
      complain(.repeated(include.path), at: mention)
    } else if !Self.stays(identity, in: folder) {
      complain(.leavesFolder(include.path), at: mention)
    } else if visited.count >= Self.mostFiles || bytes >= Self.mostBytes {
      isFull = true
      complain(.tooMuch(files: Self.mostFiles, bytes: Self.mostBytes), at: mention)
    } else {
      gather(path, namedAt: mention)
    }
  }

  /// Every scenario has a name of its own, wherever it stands.
  mutating func compareNames() {
    var first: [String: (file: String, position: SourcePosition)] = [:]
    for file in files {
      for scenario in file.scenarios {
        if let other = first[scenario.name], other.file != file.name {
          let fault = IncludeFault.scenarioRepeated(scenario.name, file: other.file, other.position)
          complain(fault, at: Mention(file: file.name, position: scenario.position))
        }
        first[scenario.name] = first[scenario.name] ?? (file.name, scenario.position)
      }
    }
  }

  private mutating func complain(_ fault: IncludeFault, at mention: Mention) {
    let diagnostic = Diagnostic(
      file: mention.file, position: mention.position, fault: .scenario(.include(fault)))
    faults.append(.wrong(Diagnostics(all: [diagnostic], omitted: 0)))
  }

  private static func stays(_ identity: String, in folder: String) -> Bool {
    let folder = Self.identity(of: folder)
    return identity.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  /// The file itself, whatever links lead to it.
  private static func identity(of path: String) -> String {
    FileLink.identity(of: path)
  }
}
