import Scenarios
import Simulator

/// A file that is downloaded in parts, and a user who pauses, resumes and cancels.
final class Download: System {
  nonisolated static let boundaries = SystemBoundaries(
    network: ["network"], requests: ["GET /file"],
    except: [.cancellationReachesTransport: "A download is stopped by actions of its own."])

  nonisolated static let checks =
    boundaries.checks + [
      SystemCheck(
        .legalTransitions(
          on: "download", "phase",
          allowing: [
            "idle": ["running"],
            "running": ["paused", "completed", "cancelled", "failed"],
            "paused": ["running", "cancelled"],
          ], passing: ["running"])),
      SystemCheck(.progressNeverBack(on: "download", "parts", of: "GET /file")),
      SystemCheck(.cancelIsNotFailure(on: "download", "phase")),
      SystemCheck(
        .recoveryIsShown(of: "start", "resume", on: "download", "phase", not: ["idle", "running", "failed"])),
      SystemCheck(
        .doesWhatItSays(
          [
            "start": (from: ["idle"], to: "running"), "pause": (from: ["running"], to: "paused"),
            "resume": (from: ["paused"], to: "running"),
            "cancel": (from: ["running", "paused"], to: "cancelled"),
          ], on: "download", "phase")),
      SystemCheck(
        .rightWhenAlone { alone throws(LoneAction.Flaw) in
          guard alone.returned, alone.name == "start" else { return }
          let (parts, shown) = (alone.details("GET /file"), alone.changes["download"] ?? [])
          try alone.demand(
            !alone.successes("GET /file").contains(true) || shown.contains { $0["parts"] == 2 },
            "the parts that have come are shown")
          try alone.demand(
            parts.first == [1, 2] && (alone.hadFailure || parts.last == [3, 4]), "all parts are asked for")
          try alone.demand(
            alone.after["download"]?["phase"] == (alone.hadFailure ? "failed" : "completed"),
            "it completes where the server has not failed, and only there")
        }),
      .settlesWithin,
    ]

  nonisolated static var exceptions: [SystemScreen.Exception] {
    [
      .init(
        .failureIsShown(of: "GET /file", on: "download", "phase"),
        "Who has paused or cancelled a download does not hear that it has failed.")
    ] + boundaries.exceptions
  }

  nonisolated static let descriptor = SystemDescriptor(
    "download", "A file that is downloaded in parts, and can be paused, resumed and cancelled.",
    variants: [
      .init(
        "naive", "Believes every callback, however late.",
        diagnoses: ["legal-transitions": [.leftState, .leftHalfWay], "progress-never-back": [.outOfOrder]]),
      .init("hardened", "Listens to the present transfer only, and to no report that is older than another."),
    ],
    actions: [
      .init("start", "The user starts the download."),
      .init("pause", "The user pauses it."),
      .init("resume", "The user resumes it."),
      .init("cancel", "The user cancels it."),
    ],
    fakes: [
      .init(
        "network", "The server, which sends the file in four parts, two at a time.",
        operations: [.init("GET /file", "Sends two parts.", replies: ["ok", "offline"])])
    ],
    invariants: checks.map(\.descriptor), exceptions: exceptions.map(\.descriptor),
    lesson: .init(
      origin: "A download with pause, resume and cancel, driven by callbacks that come when they like.",
      sources: [
        "naive": ["NaiveDownload.swift"],
        "hardened": ["HardenedDownload.swift"],
      ],
      guards: [
        "only-the-current-transfer":
          "A late report of a transfer that was cancelled would start the download again.",
        "never-back": "Reports that overtake each other would move the progress back.",
      ]))

  private let download: any FileDownload

  init(_ variant: String, in world: World) throws {
    switch variant {
    case "naive": download = NaiveDownload(from: world.sessionNetwork())
    case "hardened": download = HardenedDownload(from: world.sessionNetwork())
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws {
    switch action.name {
    case "start": try await download.start()
    case "pause": try await download.pause()
    case "resume": try await download.resume()
    case "cancel": try await download.cancel()
    default: throw UnknownName("action", action.name)
    }
  }

  var observed: [Observed] {
    [Observed("download", of: { [download] in download.stateBetweenSteps }, shown: \.shown)]
  }
}

extension FileDownload {
  fileprivate nonisolated var stateBetweenSteps: DownloadState { assumeIsolated { $0.state } }
}
