import Simulator

extension FakeNetwork: BackupService {
  nonisolated func upload(_ photo: Photo) async throws {
    try await exchange("PUT /photo", .text(photo.name)) { _ in }
  }
}
