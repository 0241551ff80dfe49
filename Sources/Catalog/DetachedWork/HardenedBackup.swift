import Observation

/// Uploads in children of a task that goes with the screen. They leave the main actor by themselves, and a
/// cancel of the one reaches all.
@MainActor @Observable final class HardenedBackup: BackupModel {
  private(set) var uploaded = 0
  @ObservationIgnored private var backup: Task<Void, Never>?
  @ObservationIgnored private let photos: [Photo]
  @ObservationIgnored private let service: any BackupService

  init(_ photos: [Photo], service: any BackupService) {
    self.photos = photos
    self.service = service
  }

  func appear() {
    backup = Task { await run() }
  }

  func disappear() {
    backup?.cancel()  // guard: cancelled-with-screen
  }

  private func run() async {
    await withTaskGroup(of: Bool.self) { group in
      for photo in photos {
        // undone: group.addTask { [service] in await Task { (try? await service.upload(photo)) != nil }.value }
        group.addTask { [service] in (try? await service.upload(photo)) != nil }  // guard: children
      }
      for await isUploaded in group where isUploaded {
        guard !Task.isCancelled else { return }  // guard: nothing-counted-when-cancelled
        uploaded += 1
      }
    }
  }
}

// Not guards: where the task is kept, the moment at which it is cancelled, and counting what its children
// have uploaded.
