import Simulator

extension FakeCallbackQueue: HomeService {
  nonisolated var isSuspended: Bool { kind == .suspended }

  nonisolated func member(_ completion: @escaping Callback<Member>) -> any RequestHandle {
    request(
      "member", showing: { .text($0.name) }, serving: { _ in Member(name: "Ada") }, completion: completion)
  }

  nonisolated func feed(_ completion: @escaping Callback<HomeFeed>) -> any RequestHandle {
    request(
      "feed", showing: { .list($0.stories.map { .text($0) }) }, serving: { _ in HomeFeed(stories: ["Bern"]) },
      completion: completion)
  }
}

extension FakeCallbackQueue.Handle: RequestHandle {}

extension LaunchModel.Screen {
  var shown: Trace.Value {
    switch self {
    case .launching: "launching"
    case .home(let home): .text("home of \(home.member.name)")
    case .failed: "failed"
    }
  }
}
