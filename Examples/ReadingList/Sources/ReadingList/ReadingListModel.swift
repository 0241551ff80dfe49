import Observation

/// The model behind the reading list's screen.
@MainActor public protocol ReadingListModel: AnyObject, Sendable {
  var articles: [Article] { get }
  var hasFailed: Bool { get }
  func refresh() async
}

/// As it was written first: whoever answers last wins.
@MainActor @Observable public final class FirstReadingListModel: ReadingListModel {
  public private(set) var articles: [Article] = []
  public private(set) var hasFailed = false
  @ObservationIgnored private let source: any ArticleSource

  public init(source: any ArticleSource) {
    self.source = source
  }

  public func refresh() async {
    do {
      articles = try await source.articles()
      hasFailed = false
    } catch {
      hasFailed = true
    }
  }
}

/// As it is now: an answer counts only while nobody has asked again, and giving up is no failure.
@MainActor @Observable public final class CarefulReadingListModel: ReadingListModel {
  public private(set) var articles: [Article] = []
  public private(set) var hasFailed = false
  @ObservationIgnored private let source: any ArticleSource
  @ObservationIgnored private var refreshes = 0

  public init(source: any ArticleSource) {
    self.source = source
  }

  public func refresh() async {
    refreshes += 1
    let own = refreshes
    do {
      let answer = try await source.articles()
      guard own == refreshes else { return }
      articles = answer
      hasFailed = false
    } catch {
      guard own == refreshes, !Task.isCancelled else { return }
      hasFailed = true
    }
  }
}
