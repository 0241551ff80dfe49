import Scenarios
import Simulator

/// A recipe box that keeps in memory what it has read and saved.
final class CachedStore: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], stores: ["store"],
    needs: ["open": ["read"], "save": ["write"]])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.cacheMatchesDisk("cache", "disk")),
      SystemCheck(
        .all([
          .latestChoiceWins(of: "open", by: "recipe", on: "screen", "recipe"),
          .latestSaveWins(of: "save", for: "recipe", saving: "text", on: "disk"),
        ])),
      SystemCheck(.noOrphanedWrite()),
      SystemCheck(.onlyAllowedErrors()),
      SystemCheck(.retryWorks()),
      SystemCheck(.outcomeIsTrue(of: "save", by: "write")),
      SystemCheck(.successIsShown(of: "open", on: "screen")),
      SystemCheck(.rightWhenAlone(isRight)),
      .settlesWithin,
    ]

  private nonisolated static func isRight(_ alone: LoneAction) throws(LoneAction.Flaw) {
    try alone.demand(
      alone.returned != alone.hadFailure, "it fails where the store has failed, and only there")
    guard alone.returned else { return }
    let (held, kept) = (alone.after["cache"] ?? .none, alone.after["disk"] ?? .none)
    if alone.name == "open" {
      let isCached = alone.details("read").allSatisfy { alone.before["cache"]?[$0.description] == nil }
      try alone.demand(isCached, "what is in the cache is not read")
      let isHeld = ["cake", "soup"].contains { held[$0] != nil && held[$0] == alone.after["screen"]?["text"] }
      try alone.demand(isHeld, "what is opened is in the cache")
    } else {
      let isHeld = ["cake", "soup"].contains { held[$0] != nil && held[$0] == kept[$0] }
      try alone.demand(isHeld && alone.succeeded("write"), "what is saved is on the disk and in the cache")
    }
  }

  nonisolated static let descriptor = SystemDescriptor(
    "cached-store", "Recipes that are read and saved through a cache.",
    variants: [
      .init(
        "naive", "Changes the cache before the disk.",
        diagnoses: [
          "cache-matches-disk": [.shownNotSaved, .staleOverNewer], "latest-wins": [.staleOverNewer],
        ]),
      .init(
        "published", "Changes the cache after the disk, whatever happened meanwhile.",
        diagnoses: [
          "cache-matches-disk": [.staleOverNewer, .savedNotShown], "latest-wins": [.staleOverNewer],
        ]),
      .init("hardened", "One save of a recipe at a time; a read never covers a newer save."),
    ],
    actions: [
      .init(
        "open", "The user opens a recipe.",
        arguments: [.string("recipe", "Which.", default: "soup", among: ["cake"])]),
      .init(
        "save", "The user saves a recipe.",
        arguments: [
          .string("recipe", "Which.", default: "soup", among: ["cake"]),
          .string("text", "What it says from now on.", among: ["salt", "sugar"]),
        ]),
      .relaunch,
    ],
    fakes: [
      .init(
        "store", "The disk.",
        operations: [
          .init("read", "Reads a recipe.", faults: ["never", "before-commit"]),
          .init("write", "Writes a recipe.", faults: ["never", "before-commit", "after-commit"]),
        ])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "A store actor as articles have it: one write to the database, then the cache, entity by "
        + "entity.",
      sources: [
        "naive": ["NaiveRecipeStore.swift"],
        "published": ["PublishedRecipeStore.swift"],
        "hardened": ["HardenedRecipeStore.swift"],
      ],
      guards: [
        "fill-only-if-unchanged":
          "A read that began before a save would fill the cache with what was there before.",
        "one-save-at-a-time": "Two saves could commit in one order and change the cache in the other.",
        "forget-on-failure": "A write that fails may have been committed: the cache would not know.",
      ]))

  private let model: RecipeModel
  private let store: any RecipeStore
  private let disk: FakeStore

  init(_ variant: String, in world: World) throws {
    let recipes = ["cake", "soup"].map { Recipe(id: $0, text: "old \($0)").encoded }
    disk = world.store(holding: Dictionary(uniqueKeysWithValues: recipes.map { ($0.id, $0) }))
    let archive = RecipeArchive(disk: disk)
    store =
      switch variant {
      case "naive": NaiveRecipeStore(archive: archive)
      case "published": PublishedRecipeStore(archive: archive)
      case "hardened": HardenedRecipeStore(archive: archive)
      default: throw UnknownName("variant", variant)
      }
    model = RecipeModel(store: store)
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.string("recipe"), action.string("text")) {
    case ("open", let id?, _): try await model.open(id)
    case ("save", let id?, let text?): try await model.save(Recipe(id: id, text: text))
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("screen", of: { [model] in model.recipe }) { recipe in
        recipe.map { .record([.init("recipe", .text($0.id)), .init("text", $0.shown)]) } ?? .none
      },
      Observed("cache", of: { [store] in store.cacheBetweenSteps }) { cache in
        cache.isEmpty ? .none : .record(cache.values.sorted { $0.id < $1.id }.map { .init($0.id, $0.shown) })
      },
      Observed("disk", in: disk, of: { $0.held(as: RecipeRecord.self) }) { records in
        .record(records.map { .init($0.id, $0.shown) })
      },
    ]
  }
}

extension RecipeStore {
  fileprivate nonisolated var cacheBetweenSteps: [String: Recipe] { assumeIsolated { $0.cache } }
}
