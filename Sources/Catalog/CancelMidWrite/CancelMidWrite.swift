import Scenarios
import Simulator

/// A trip that is being saved when the user cancels.
final class CancelMidWrite: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["status 1", "draft 1", "status 2", "draft 2"], stores: ["store"])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.allOrNothing(on: "disk", of: .observed("draft 1"), .observed("draft 2"))),
      SystemCheck(.noOrphanedWrite()),
      SystemCheck(.everyPostponementCounts(on: "first day")),
      SystemCheck(.screenMatchesDisk("cache", "disk")),
      SystemCheck(.onlyAllowedErrors(allowing: ["Busy", "Conflict"])),
      SystemCheck(.retryWorks(allowing: ["Busy", "Conflict"])),
      SystemCheck(.all(editors.map { .cancelIsNotFailure(on: "status \($0)") })),
      SystemCheck(
        .all(
          editors.map { editor in
            .savedIsKept(
              on: "status \(editor)", not: ["editing", "saving", "failed"], of: "draft \(editor)", in: "disk")
          })),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          let isPutOff = alone.after["first day"] != alone.before["first day"]
          try alone.demand(
            alone.returned == isPutOff, "it says that the trip is put off where it is, and only there")
          let drafts = editors.compactMap { alone.changes["draft \($0)"]?.last }
          try alone.demand(
            drafts.allSatisfy { $0 == alone.after["disk"] }, "the editor goes on with what is saved")
          let saved = [alone.before["disk"] ?? .none] + (alone.changes["disk"] ?? [])
          try alone.demand(
            (alone.changes["cache"] ?? []).allSatisfy(saved.contains),
            "the cache holds only what has been saved")
        }),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] {
    [
      .init(
        .failureIsShown(of: "transaction", on: "status 1"),
        "A write that fails after it was committed has saved the trip."),
      .init(
        .recoveryIsShown(on: "status 1", not: ["editing", "saving", "failed"]),
        "There are two editors, and the trip may be saved in the other."),
    ]
  }

  nonisolated static let descriptor = SystemDescriptor(
    "cancel-mid-write", "A trip of three stops that is saved, and a cancel that comes meanwhile.",
    variants: [
      .init(
        "naive", "Writes stop by stop, the cache first.",
        diagnoses: [
          "all-or-nothing": [.writtenInPart], "no-orphaned-write": [.writeAfterCancellation],
          "screen-matches-disk": [.shownNotSaved],
        ]),
      .init("hardened", "Writes all or nothing; the cache follows the disk.", untested: ["store write"]),
    ],
    actions: [
      .init(
        "postpone", "The user puts the trip off and saves it.",
        arguments: [
          .integer("days", "By how many days.", in: 1...7, default: 1, among: [2]),
          .integer("editor", "In which of the two editors of the trip.", in: 1...2, default: 1),
        ]),
      .relaunch,
    ],
    fakes: [
      .init(
        "store", "The disk.",
        operations: [
          .init("read", "Reads all stops."),
          .init("write", "Writes one stop.", faults: ["never", "before-commit", "after-commit"]),
          .init(
            "transaction", "Replaces all stops at once.", faults: ["never", "before-commit", "after-commit"]),
        ])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "The question of what a cancel leaves behind in a store: all of a write, none, or some of it.",
      sources: [
        "naive": ["NaiveTripStore.swift"],
        "hardened": ["HardenedTripStore.swift"],
      ],
      guards: [
        "no-lost-edit": "The second of two editors would save over what the first has saved.",
        "one-save-at-a-time":
          "Two editors' saves would overlap, and cache and disk could follow different ones.",
        "no-write-when-cancelled": "A save whose turn comes after its cancel would write all the same.",
        "one-transaction": "A cancel in the middle would leave some stops old and some new.",
        "cache-follows-disk": "The cache would keep the old stops, and the screen with it.",
        "ask-the-disk": "A write that fails may have been committed: only the disk knows.",
      ]))

  private nonisolated static let editors = 1...2

  private let editors: [TripEditor]
  private let store: any TripStore
  private let disk: FakeStore

  init(_ variant: String, in world: World) throws {
    let first = ["Bern", "Chur", "Thun"].map { Stop(id: $0, day: 1) }
    disk = world.store(holding: Dictionary(uniqueKeysWithValues: first.map { ($0.id, $0) }))
    let stops = disk.held(as: Stop.self)
    store =
      switch variant {
      case "naive": NaiveTripStore(stops, disk: disk)
      case "hardened": HardenedTripStore(stops, disk: disk)
      default: throw UnknownName("variant", variant)
      }
    editors = Self.editors.map { [store] _ in TripEditor(stops, store: store) }
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("days"), action.integer("editor")) {
    case ("postpone", let days?, let number?):
      try await editors[number - 1].postpone(by: days)
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    zip(Self.editors, editors).flatMap { number, editor in
      [
        Observed("status \(number)", of: { editor.status }) { .text($0.rawValue) },
        Observed("draft \(number)", of: { editor.draft }, shown: \.shown),
      ]
    } + [
      Observed("cache", of: { [store] in store.cacheBetweenSteps }, shown: \.shown),
      Observed("disk", in: disk, of: { $0.held(as: Stop.self) }, shown: \.shown),
      Observed("first day", in: disk, of: { $0.held(as: Stop.self).map(\.day).min() ?? 0 }) { .int($0) },
    ]
  }
}

extension TripStore {
  fileprivate nonisolated var cacheBetweenSteps: [Stop] { assumeIsolated { $0.cache } }
}
