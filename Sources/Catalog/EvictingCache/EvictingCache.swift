import Scenarios
import Simulator

/// A gallery of which each cell asks a cache for its thumbnail, and the cache has room for two.
final class EvictingCache: System {
  private nonisolated static let capacity = 2

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], network: ["network"], requests: ["GET /thumbnail"],
    except: [
      .cancellationReachesTransport:
        "A load goes on although its caller has lost interest: the shelf is for all."
    ])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.withinCapacity(capacity, of: "cache", "thumbnails")),
      SystemCheck(.singleFlight("GET /thumbnail")),
      SystemCheck(.versionNeverBack(on: "screen", "version", of: "cache")),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.retryWorks()),
      SystemCheck(.outcomeIsTrue(of: "show", by: "GET /thumbnail", shared: true)),
      SystemCheck(.successIsShown(on: "screen", "thumbnails")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          try alone.demand(
            alone.returned != alone.hadFailure, "it fails where the server has failed, and only there")
          guard case .list(var shelf)? = alone.before["cache"]?["thumbnails"] else { return }
          try alone.demand(
            !alone.details("GET /thumbnail").contains(where: shelf.contains),
            "what is in the cache is not asked for")
          if alone.returned { shelf += alone.details("GET /thumbnail") }
          try alone.demand(
            alone.after["cache"]?["thumbnails"] == .list(shelf.suffix(capacity)),
            "the cache holds the thumbnails that came last")
        }),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "evicting-cache", "A gallery of thumbnails, and a cache with room for two of them.",
    variants: [
      .init(
        "naive", "Copies what the cache holds out across an await and back.",
        diagnoses: [
          "single-flight": [.duplicateRequest, .checkThenAct], "version-never-back": [.lostUpdate],
        ]),
      .init(
        "published", "Shares loads, but makes room before it awaits what goes into it.",
        diagnoses: ["within-capacity": [.roomTaken, .checkThenAct]]),
      .init("hardened", "Shares loads, and makes room and fills it in one step."),
    ],
    actions: [
      .init(
        "show", "A cell asks for its thumbnail.",
        arguments: [.string("photo", "Which photo it shows.", among: ["harbour", "bridge", "tower"])])
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("GET /thumbnail", "Asks for a thumbnail.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "A cache of images with an owner, which several cells ask at once and the main actor reads: "
        + "the cache of an article, with room for two.",
      sources: [
        "naive": ["NaiveThumbnailCache.swift"],
        "published": ["PublishedThumbnailCache.swift"],
        "hardened": ["HardenedThumbnailCache.swift"],
      ],
      guards: [
        "one-load-a-photo": "Two cells that miss the same photo would both load it.",
        "room-in-the-same-step": "The cache would grow beyond its room.",
      ]))

  private let model: GalleryModel
  private let cache: any ThumbnailCache

  init(_ variant: String, in world: World) throws {
    let shelf = Shelf(capacity: Self.capacity)
    let loader = world.sessionNetwork()
    cache =
      switch variant {
      case "naive": NaiveThumbnailCache(shelf, loader: loader)
      case "published": PublishedThumbnailCache(shelf, loader: loader)
      case "hardened": HardenedThumbnailCache(shelf, loader: loader)
      default: throw UnknownName("variant", variant)
      }
    model = GalleryModel(shelf, cache: cache)
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.string("photo")) {
    case ("show", let photo?): try await model.show(photo)
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.shelf }, shown: \.shown),
      Observed("cache", of: { [cache] in cache.shelfBetweenSteps }, shown: \.shown),
    ]
  }
}

extension ThumbnailCache {
  fileprivate nonisolated var shelfBetweenSteps: Shelf { assumeIsolated { $0.shelf } }
}
