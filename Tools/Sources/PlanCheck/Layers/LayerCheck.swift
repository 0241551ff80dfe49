import Foundation

/// Compares every use that the compiler's index knows of with the order of the rooms.
///
/// A use is one of a type, a function, a member or a protocol, and belongs to the file that defines the very thing: a
/// member that an extension declares is used where the extension stands, whatever the type is. The declaration of a
/// conformance uses both the type and the protocol. What a file uses by inference alone, without naming it, needs no
/// line of its own: whatever it was inferred from was used, and is checked itself.
public struct LayerCheck {
  let plan: Plan
  let sources: Sources
  private let files: [String: IndexedFile]
  private let definitions: Definitions

  private let target: String?

  /// - Parameter target: checks only the files of this target, so that no other needs to be built.
  public init(plan: Plan, sources: Sources, target: String? = nil, index: String, library: String)
    throws(Refusal)
  {
    self.target = target
    self.plan = plan
    self.sources = sources
    let known = Set(sources.paths)
    let prefix = "\(sources.root)/Sources/"
    let store = try IndexStore(path: index, library: library)
    let indexed = try store.files {
      $0.hasPrefix(prefix) && known.contains(String($0.dropFirst(prefix.count)))
    }
    files = Dictionary(
      uniqueKeysWithValues: indexed.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    definitions = Definitions(files, modules: Set(sources.paths.map { String($0.prefix { $0 != "/" }) }))
  }

  public func outcome() throws(Refusal) -> Outcome {
    try refuseStaleIndex()
    var findings = unplanned()
    for path in checked { findings += try backwardUses(in: path) }
    let rooms = plan.places.filter { target == nil || $0.target == target }.count
    return Outcome(findings: findings, proved: "each of \(rooms) rooms uses only those above it")
  }

  private var checked: [String] {
    guard let target else { return sources.paths }
    return sources.paths.filter { $0.hasPrefix("\(target)/") }
  }

  /// Folders that the plan does not name, and names in the plan that are no folder.
  private func unplanned() -> [Finding] {
    var used: Set<String> = []
    var unplanned: Set<String> = []
    for path in sources.paths {
      switch plan.position(of: path) {
      case .place(let place): used.insert(place.path)
      case .unplanned(let folder): unplanned.insert(folder)
      }
    }
    return unplanned.sorted().map { Finding("Sources/\($0): the plan does not name this folder") }
      + plan.places.filter { !used.contains($0.path) }
      .map { Finding("Sources/\($0.path): the plan names it, but no source file is there") }
  }

  private func refuseStaleIndex() throws(Refusal) {
    let stale = checked.compactMap { path -> String? in
      guard let indexed = files[path]?.indexed else {
        // No unit is about a header.
        return path.hasSuffix(".h") ? nil : "Sources/\(path): the index does not know this file"
      }
      guard let changed = sources.changed(path), changed <= indexed else {
        return "Sources/\(path): changed after it was indexed"
      }
      return nil
    }
    guard stale.isEmpty else {
      throw Refusal((stale + ["The index is stale. Run `swift build` first."]).joined(separator: "\n"))
    }
  }

  private func backwardUses(in path: String) throws(Refusal) -> [Finding] {
    guard case .place(let here) = plan.position(of: path), let file = files[path] else { return [] }
    var seen: Set<String> = []
    var findings: [Finding] = []
    for use in file.occurrences.sorted(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
      guard use.role != .definition, let definition = try definitions.definition(of: use.symbol),
        case .place(let there) = plan.position(of: definition.path), there.position > here.position,
        // A property and its getter are one use.
        seen.insert("\(use.line):\(use.column) \(definition.path)").inserted
      else { continue }
      findings.append(
        Finding(
          "Sources/\(path):\(use.line):\(use.column): uses \(definitions.name(of: definition)) (\(definition.path)), "
            + "but \(name(here, besides: there)) stands above \(name(there, besides: here))",
          kind: "\(here.path) → \(there.path)"))
    }
    return findings
  }

  private func name(_ place: Plan.Place, besides other: Plan.Place) -> String {
    place.target == other.target ? place.name : place.path
  }
}
