import CatalogInSwift5
import Simulator

extension FakeStore: Lamp {
  nonisolated package func dim(to level: Int) async throws {
    try await write(level, for: "level")
  }
}
