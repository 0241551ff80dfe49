import Scenarios
import Simulator

/// A screen that backs photos up for as long as it is there.
final class DetachedWork: System {
  nonisolated static let boundaries = SystemBoundaries(
    screens: ["uploaded"], network: ["network"], requests: ["PUT /photo"],
    except: [
      .cancellationReachesTransport: "A request ends with its screen, and not with the tap that began it."
    ])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(.nothingAfterDismissal(of: "uploaded", by: "backup")),
      SystemCheck(.endsWithOwner("PUT /photo", by: "backup")),
      SystemCheck(.askedOnce("PUT /photo")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          guard case .int(let before)? = alone.before["uploaded"],
            case .int(let after)? = alone.after["uploaded"]
          else { return }
          try alone.demand(!alone.isFirst || before == 0, "nothing is uploaded at first")
          try alone.demand(
            alone.appeared || alone.count("PUT /photo") == 0, "only a screen that is there uploads photos")
          let failures = alone.successes("PUT /photo").count { !$0 }
          try alone.demand(
            !alone.appeared || after + failures == 3,
            "each photo that is not there yet is uploaded and counted"
          )
        }),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] { boundaries.exceptions }

  nonisolated static let descriptor = SystemDescriptor(
    "detached-work", "A screen that backs photos up for as long as it is there.",
    variants: [
      .init(
        "naive", "Detaches an upload for each photo.",
        diagnoses: [
          "nothing-after-dismissal": [.outlivedOwner], "nothing-outlives": [.outlivedExecution],
          "asked-once": [.repeatedEffect],
        ], breaks: ["nothing-outlives"]),
      .init("hardened", "Uploads in children of a task that goes with the screen."),
    ],
    actions: [
      .init("open", "The screen appears."),
      .init("leave", "The screen goes away, if it is there."),
    ],
    fakes: [
      .init(
        "network", "The server.",
        operations: [.init("PUT /photo", "Uploads a photo.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "Detached tasks, as they are used to get off the main actor: they leave their owner's "
        + "lifetime with it.",
      sources: [
        "naive": ["NaiveBackup.swift"],
        "hardened": ["HardenedBackup.swift"],
      ],
      guards: [
        "cancelled-with-screen": "The uploads would outlive the screen.",
        "children": "Tasks of their own would not hear of the cancel.",
        "nothing-counted-when-cancelled": "An upload that ends late would change the closed screen.",
        "after-older":
          "A photo that the older backup has just uploaded would not be known yet, and be uploaded again.",
        "what-is-there-stays": "Each time that the screen appears, everything would be uploaded again.",
      ]))

  private let model: any BackupModel
  private let view: FakeView<Int>

  init(_ variant: String, in world: World) throws {
    let photos = ["beach", "dog", "sunset"].map { Photo(name: $0) }
    let service = world.sessionNetwork()
    let model: any BackupModel =
      switch variant {
      case "naive": NaiveBackup(photos, service: service)
      case "hardened": HardenedBackup(photos, service: service)
      default: throw UnknownName("variant", variant)
      }
    self.model = model
    view = FakeView(id: 0, named: "backup", onAppear: { model.appear() }, onDisappear: { model.disappear() })
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "open": view.appear()
    case "leave": view.disappear()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [Observed("uploaded", of: { [model] in model.uploaded }) { .int($0) }]
  }
}
