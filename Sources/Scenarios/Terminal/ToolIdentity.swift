/// The name and version that this executable gives itself.
enum ToolIdentity {
  /// The executable that runs, under the name that a package has built it with; in a test bundle `simrun`.
  static let name: String = {
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "simrun"
    return name.hasSuffix(".xctest") ? "simrun" : name
  }()

  /// What `--version` prints.
  static let version = "0.1.0"
}
