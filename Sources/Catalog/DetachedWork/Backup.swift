/// A photo on the phone.
struct Photo: Hashable, Sendable {
  let name: String
}

/// The model behind a screen that backs photos up for as long as it is there.
@MainActor protocol BackupModel: AnyObject {
  /// How many have been uploaded.
  var uploaded: Int { get }
  func appear()
  func disappear()
}

// MARK: - Seams

protocol BackupService: Sendable {
  func upload(_ photo: Photo) async throws
}
