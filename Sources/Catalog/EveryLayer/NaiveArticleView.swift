/// Loads in a task of its own, so that a redraw, which may cancel the view's, does not disturb it. Nor does anything
/// else.
struct NaiveArticleView: ArticleView {
  let model: any ArticleModel

  func task() async {
    await Task { await model.load() }.value
  }
}
