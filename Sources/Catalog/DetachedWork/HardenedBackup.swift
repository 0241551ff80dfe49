import Observation

/// Uploads in children of a task that goes with the screen. They leave the main actor by themselves, and a
/// cancel of the one reaches all. What has been uploaded is not uploaded again when the screen comes back.
@MainActor @Observable final class HardenedBackup: BackupModel {
  private(set) var uploaded = 0
  @ObservationIgnored private var done: Set<Photo> = []
  @ObservationIgnored private var backup: Task<Void, Never>?
  @ObservationIgnored private let photos: [Photo]
  @ObservationIgnored private let service: any BackupService

  init(_ photos: [Photo], service: any BackupService) {
    self.photos = photos
    self.service = service
  }

  func appear() {
    uploaded = done.count
    let older = backup
    backup = Task {
      await older?.value  // guard: after-older
      guard !Task.isCancelled else { return }
      uploaded = done.count
      await run()
    }
  }

  func disappear() {
    backup?.cancel()  // guard: cancelled-with-screen
  }

  private func run() async {
    await withTaskGroup(of: Photo?.self) { group in
      for photo in photos {
        if done.contains(photo) { continue }  // guard: what-is-there-stays
        // undone: group.addTask { [service] in await Task { (try? await service.upload(photo)).map { photo } }.value }
        group.addTask { [service] in (try? await service.upload(photo)).map { photo } }  // guard: children
      }
      for await case let photo? in group {
        done.insert(photo)
        guard !Task.isCancelled else { continue }  // guard: nothing-counted-when-cancelled
        uploaded = done.count
      }
    }
  }
}

// Not guards: looking for a cancel before anything is uploaded; counting what the visit before has brought; where the task is kept, the moment at which it is cancelled, and counting what its children
// have uploaded.
