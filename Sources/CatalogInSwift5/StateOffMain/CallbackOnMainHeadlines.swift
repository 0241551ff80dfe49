/// Takes the reply in where `URLSession` calls back, and goes to the main actor to show it.
package final class CallbackOnMainHeadlines: HeadlinesModel {
  package private(set) var screen = HeadlinesScreen.empty {
    didSet { display.show(screen) }
  }
  private let session = HeadlinesSession()
  private let display: any HeadlinesDisplay

  package init(display: any HeadlinesDisplay) {
    self.display = display
  }

  @MainActor package func refresh() async {
    screen = .loading
    await withCheckedContinuation { shown in
      session.headlines { result in
        Task {
          await MainActor.run { self.screen = HeadlinesScreen(result) }
          shown.resume()
        }
      }
    }
  }
}
