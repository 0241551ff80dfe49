/// The name and version that this executable gives itself.
enum ToolIdentity {
  /// The executable that runs, under the name that a package has built it with; in a test bundle `simrun`.
  static let name = path?.split(separator: "/").last.map(String.init) ?? "simrun"

  /// That executable, as it was called; nil in a test bundle.
  static let path: String? = {
    guard let path = Executable.arguments.first, !path.isEmpty, !path.hasSuffix(".xctest") else {
      return nil
    }
    return path
  }()

  /// What `--version` prints.
  static let version = "0.1.0"
}
