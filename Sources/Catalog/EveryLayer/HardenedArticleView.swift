/// Loads in its own task: what is awaited there is cancelled with it.
struct HardenedArticleView: ArticleView {
  let model: any ArticleModel

  func task() async {
    await model.load()  // guard: view-task-is-structured => await Task { await model.load() }.value
  }
}
