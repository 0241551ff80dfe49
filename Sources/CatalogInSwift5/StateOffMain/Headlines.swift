/// What has happened today.
package struct Headline: Hashable, Sendable {
  package let text: String

  package init(text: String) {
    self.text = text
  }
}

/// What the headlines screen shows.
package enum HeadlinesScreen: Hashable, Sendable {
  case empty, loading, loaded([Headline]), failed
}

/// The model behind the screen.
package protocol HeadlinesModel: AnyObject {
  var screen: HeadlinesScreen { get }
  func refresh() async
}

/// The screen. In Swift 5 mode nobody asks where its model works.
@MainActor package struct HeadlinesView {
  private let model: any HeadlinesModel

  package init(model: any HeadlinesModel) {
    self.model = model
  }

  package var shown: HeadlinesScreen { model.screen }

  package func pull() async { await model.refresh() }
}

// MARK: - Seams

/// A screen that its model writes. Swift 5 mode does not ask where from.
package protocol HeadlinesDisplay: Sendable {
  func show(_ screen: HeadlinesScreen)
}

package protocol HeadlinesService: Sendable {
  func headlines() async throws -> [Headline]
}
