/// Takes the reply in where `URLSession` calls back: on a queue of the session, while the main actor reads the screen.
package final class CallbackHeadlines: HeadlinesModel {
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
        self.screen = HeadlinesScreen(result)
        shown.resume()
      }
    }
  }
}
