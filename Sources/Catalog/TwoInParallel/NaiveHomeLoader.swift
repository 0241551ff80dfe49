/// Collects what has come in a box. Each callback copies it out, adds its own, and copies it back.
struct NaiveHomeLoader: HomeLoader {
  private struct Parts {
    var member: Result<Member, any Error>?
    var feed: Result<HomeFeed, any Error>?
  }

  private actor Box {
    var parts = Parts()

    func set(_ parts: Parts) {
      self.parts = parts
    }
  }

  let service: any HomeService

  func load(_ completion: @escaping Callback<Home>) -> HomeRequest {
    let box = Box()
    let member = service.member { member in
      Task { await collect(in: box, completion) { $0.member = member } }
    }
    let feed = service.feed { feed in
      Task { await collect(in: box, completion) { $0.feed = feed } }
    }
    return HomeRequest(member: member, feed: feed)
  }

  private func collect(
    in box: Box, _ completion: Callback<Home>, _ add: (inout Parts) -> Void
  ) async {
    var parts = await box.parts
    add(&parts)
    await box.set(parts)
    guard let member = await box.parts.member, let feed = await box.parts.feed else { return }
    completion(Result { Home(member: try member.get(), feed: try feed.get()) })
  }
}
