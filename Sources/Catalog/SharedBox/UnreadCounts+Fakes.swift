import Simulator

extension FakeStore: MessageLog {
  /// Best effort: a line that cannot be written is lost.
  nonisolated func append(_ line: String) async {
    try? await write(line, for: "last line")
  }
}
