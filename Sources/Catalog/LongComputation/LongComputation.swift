import Scenarios
import Simulator

/// A panorama that takes long to stitch, and a user who changes their mind.
final class LongComputation: System {
  nonisolated static let screen = SystemScreen(
    "screen", initially: "empty", waiting: "stitching", waitsFor: ["stitch"])

  nonisolated static let boundaries = SystemBoundaries(
    screens: ["screen"], hasWork: true)

  nonisolated static let checks =
    screen.checks + boundaries.checks + [
      SystemCheck(.stops(within: .zero), .duration, usual: .duration(.seconds(1))) { value in
        guard case .duration(let bound)? = value else { return nil }
        return .stops(within: bound.duration)
      },
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          try alone.demand(
            alone.returned == (!alone.hadFailure && alone.count("stitch") > 0),
            "it fails where a frame has failed, and only there")
          try alone.demand(
            alone.after["screen"] == (alone.returned ? .text("\(alone.count("stitch")) frames") : "failed"),
            "the screen shows all frames or the failure")
        }),
      .settlesWithin,
    ]

  nonisolated static let descriptor = SystemDescriptor(
    "long-computation", "A panorama of many frames that is cancelled while it is stitched.",
    variants: [
      .init(
        "naive", "Stitches to the end: the phone is warm, and the user has long put it away.",
        diagnoses: ["stops-within": [.stoppedTooLate]]),
      .init(
        "published", "Looks for a cancel, in a detached task that no cancel reaches.",
        diagnoses: ["stops-within": [.stoppedTooLate]]),
      .init("hardened", "Looks for a cancel before each frame, in its caller's task."),
    ],
    actions: [
      .init(
        "stitch", "The user asks for a panorama.",
        arguments: [.integer("frames", "Of how many frames.", in: 1...100, among: [1, 3])])
    ],
    fakes: [
      .init(
        "processor", "What stitches; its work keeps its caller's actor closed.",
        operations: [
          .init(
            "stitch", "Adds a frame.", faults: ["never", "before-commit"], acceptedKeys: [.spend, .calls])
        ])
    ],
    invariants: checks.map(\.descriptor),
    lesson: .init(
      origin: "Cooperative cancellation: heavy steps that must ask whether they are still wanted.",
      sources: [
        "naive": ["NaivePanoramaMaker.swift"],
        "published": ["PublishedPanoramaMaker.swift"],
        "hardened": ["HardenedPanoramaMaker.swift"],
      ],
      guards: [
        "check-between-steps": "The work would go on to its end, whoever has left."
      ]))

  private let model: PanoramaModel

  init(_ variant: String, in world: World) throws {
    let stitcher = world.decoder("processor")
    let maker: any PanoramaMaker =
      switch variant {
      case "naive": NaivePanoramaMaker(stitcher: stitcher)
      case "published": PublishedPanoramaMaker(stitcher: stitcher)
      case "hardened": HardenedPanoramaMaker(stitcher: stitcher)
      default: throw UnknownName("variant", variant)
      }
    model = PanoramaModel(maker: maker)
  }

  func perform(_ action: UserAction) async throws {
    switch (action.name, action.integer("frames")) {
    case ("stitch", let count?): try await model.stitch((1...count).map(Frame.init))
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [Observed("screen", of: { [model] in model.screen }, shown: \.shown)]
  }
}
