/// How the fakes behave; whatever is not mentioned behaves naturally.
struct WorldScript: Codable, Equatable, Sendable {
  /// What the file says about one operation.
  struct Entry: Codable, Equatable, Sendable {
    let fake: String
    let operation: String
    let script: OperationScript
  }

  /// In the order of the file.
  let entries: [Entry]

  /// What the file says about an operation; nil when it says nothing.
  subscript(fake: String, operation: String) -> OperationScript? {
    entries.first { $0.fake == fake && $0.operation == operation }?.script
  }
}
