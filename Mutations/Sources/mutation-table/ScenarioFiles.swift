import Foundation

/// The scenarios of the package, a file for each system and set of variants.
struct ScenarioFiles {
  private let scenarios: [[String: Any]]
  private let folder: URL

  init(of package: URL, in folder: URL) throws {
    self.folder = folder
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    scenarios = try Self.read("scenarios.json", in: package)
  }

  /// Writes the scenarios of `system`, of which `simrun --holding` runs `variants` only; nil without any.
  func write(_ system: String, variants: Set<String>) throws -> String? {
    let entries = scenarios.filter { $0["system"] as? String == system }.map { scenario in
      var scenario = scenario
      let expected = scenario["expect"] as? [String: Any] ?? [:]
      scenario["expect"] = Dictionary(
        uniqueKeysWithValues: expected.map { variant, known -> (String, Any) in
          (variant, variants.contains(variant) ? known : ["deadlock"])
        })
      scenario["replays"] = nil
      // Of the others nothing is asked, and so nothing may be said either.
      let untested = scenario["untested"] as? [String: Any] ?? [:]
      scenario["untested"] = untested.filter { variants.contains($0.key) }
      return scenario
    }
    guard !entries.isEmpty else { return nil }
    let data = try JSONSerialization.data(
      withJSONObject: ["version": 1, "scenarios": entries] as [String: Any], options: [.sortedKeys])
    let name = ([system] + variants.sorted()).joined(separator: "-")
    let path = folder.appending(path: "\(name).json")
    try data.write(to: path)
    return path.path
  }

  private static func read(_ path: String, in package: URL) throws -> [[String: Any]] {
    let data = try Data(contentsOf: package.appending(path: path))
    let file = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    let included = try (file["include"] as? [String] ?? []).flatMap { try read($0, in: package) }
    return (file["scenarios"] as? [[String: Any]] ?? []) + included
  }
}
