import CatalogInSwift5
import Foundation

/// Guards its state with a lock, and Swift 6 is content: no data race is left. The screen is changed off the
/// main actor all the same.
final class LockedHeadlines: HeadlinesModel, @unchecked Sendable {
  // @unchecked Sendable because `state` is reached under the lock only.
  private let lock = NSLock()
  private var state = HeadlinesScreen.empty
  private let service: any HeadlinesService

  init(service: any HeadlinesService) {
    self.service = service
  }

  var screen: HeadlinesScreen { lock.withLock { state } }

  @concurrent func refresh() async {
    show(.loading)
    do {
      show(.loaded(try await service.headlines()))
    } catch {
      show(.failed)
    }
  }

  private func show(_ screen: HeadlinesScreen) {
    lock.withLock { state = screen }
  }
}
