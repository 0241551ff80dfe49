import Scenarios
import Simulator

/// A trip that is being saved when the user cancels.
final class CancelMidWrite: System {
  nonisolated static let checks = [
    SystemCheck(.allOrNothing(on: "disk", of: .observed("draft"))),
    SystemCheck(.noOrphanedWrite()),
    SystemCheck(.screenMatchesDisk("cache", "disk")),
    SystemCheck(.onlyAllowedErrors()),
    .settlesWithin,
  ]

  nonisolated static let descriptor = SystemDescriptor(
    "cancel-mid-write", "A trip of three stops that is saved, and a cancel that comes meanwhile.",
    variants: [
      .init(
        "naive", "Writes stop by stop, the cache first.",
        diagnoses: [
          "all-or-nothing": [.writtenInPart], "no-orphaned-write": [.writeAfterCancellation],
          "screen-matches-disk": [.shownNotSaved],
        ]),
      .init("hardened", "Writes all or nothing; the cache follows the disk."),
    ],
    actions: [.init("postpone", "The user puts the trip off by a day and saves it.")],
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
    invariants: checks.map(\.descriptor))

  private let editor: TripEditor
  private let store: any TripStore
  private let disk: FakeStore

  init(_ variant: String, in world: World) throws {
    let stops = ["Bern", "Chur", "Thun"].map { Stop(id: $0, day: 1) }
    disk = world.store(holding: Dictionary(uniqueKeysWithValues: stops.map { ($0.id, $0) }))
    store =
      switch variant {
      case "naive": NaiveTripStore(stops, disk: disk)
      case "hardened": HardenedTripStore(stops, disk: disk)
      default: throw UnknownName("variant", variant)
      }
    editor = TripEditor(stops, store: store)
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "postpone": try await editor.postpone()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [
      Observed("status", of: { [editor] in editor.status }) { .text($0.rawValue) },
      Observed("draft", of: { [editor] in editor.draft }, shown: \.shown),
      Observed("cache", of: { [store] in store.cacheBetweenSteps }, shown: \.shown),
      Observed("disk", in: disk, of: { $0.held(as: Stop.self) }, shown: \.shown),
    ]
  }
}

extension TripStore {
  fileprivate nonisolated var cacheBetweenSteps: [Stop] { assumeIsolated { $0.cache } }
}
