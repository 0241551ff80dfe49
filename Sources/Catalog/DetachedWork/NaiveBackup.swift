import Observation

/// Detaches an upload for each photo, to have it off the main actor. With that it has it off its own life
/// too, and the weak reference changes nothing about the upload.
@MainActor @Observable final class NaiveBackup: BackupModel {
  private(set) var uploaded = 0
  @ObservationIgnored private let photos: [Photo]
  @ObservationIgnored private let service: any BackupService

  init(_ photos: [Photo], service: any BackupService) {
    self.photos = photos
    self.service = service
  }

  func appear() {
    for photo in photos {
      Task.detached { [weak self, service] in
        try await service.upload(photo)
        await self?.count()
      }
    }
  }

  func disappear() {}

  private func count() {
    uploaded += 1
  }
}
