// swift-tools-version: 6.2
import PackageDescription

/// Without the rule that a file imports what it uses.
let lenient: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let strict = lenient + [.enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Litmus", targets: ["Litmus"]),
    .executable(name: "controls", targets: ["controls"]),
    .executable(name: "differential", targets: ["differential"]),
    .executable(name: "guard-table", targets: ["guard-table"]),
    .executable(name: "isolation-check", targets: ["isolation-check"]),
    .executable(name: "litmus-table", targets: ["litmus-table"]),
    .executable(name: "reduction-table", targets: ["reduction-table"]),
    .executable(name: "replay-check", targets: ["replay-check"]),
    .executable(name: "speed", targets: ["speed"]),
    .library(name: "SCTBench", targets: ["SCTBench"]),
    .executable(name: "sct-table", targets: ["sct-table"]),
    .library(name: "LockPrograms", targets: ["LockPrograms"]),
    .library(name: "Unseen", targets: ["Unseen"]),
    .library(name: "TwinPrograms", targets: ["TwinPrograms"]),
    .library(name: "SearchTrials", targets: ["SearchTrials"]),
    .library(name: "Models", targets: ["Models"]),
    .executable(name: "ablation-table", targets: ["ablation-table"]),
    .executable(name: "search-table", targets: ["search-table"]),
    .executable(name: "lock-table", targets: ["lock-table"]),
    .library(name: "Delays", type: .dynamic, targets: ["Delays"]),
  ],
  dependencies: [.package(name: "swift-race-simulator", path: "..")],
  targets: [
    .target(name: "Arguments", swiftSettings: strict),
    .target(name: "CFloor"),
    .target(name: "CThreads"),
    .target(name: "Delays"),
    .target(name: "PosixLock", swiftSettings: strict),
    .target(name: "SmallActor", swiftSettings: strict),
    .target(
      name: "Litmus", dependencies: [.product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .executableTarget(
      name: "controls",
      dependencies: [
        "Arguments", "Litmus",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "differential",
      dependencies: [
        "Arguments", "CThreads", "PosixLock",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    .executableTarget(name: "guard-table", swiftSettings: strict),
    .executableTarget(
      name: "isolation-check", dependencies: [.product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .executableTarget(
      name: "litmus-table",
      dependencies: [
        "Arguments", "Litmus",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "reduction-table", dependencies: [.product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .executableTarget(
      name: "replay-check",
      dependencies: [
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    // With the systems that scenarios.json names itself: the catalog is no product, so these are compiled once more.
    .executableTarget(
      name: "speed",
      dependencies: [
        "CFloor", "SmallActor",
        .product(name: "Scenarios", package: "swift-race-simulator"),
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    .target(
      name: "SCTBench",
      dependencies: ["PosixLock", .product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .executableTarget(
      name: "sct-table",
      dependencies: [
        "Arguments", "SCTBench", "SearchTrials",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    .target(
      name: "LockPrograms",
      dependencies: ["PosixLock", .product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .executableTarget(
      name: "lock-table",
      dependencies: [
        "Arguments", "LockPrograms",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    // With two files of the engine, which do not import it.
    .target(
      name: "SearchTrials",
      dependencies: [
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: lenient),
    .target(
      name: "TwinPrograms", dependencies: [.product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .target(
      name: "Unseen",
      dependencies: ["TwinPrograms", .product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .target(
      name: "Models",
      dependencies: ["TwinPrograms", .product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .target(
      name: "Coincidences",
      dependencies: ["TwinPrograms", .product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: strict),
    .executableTarget(
      name: "ablation-table",
      dependencies: [
        "Arguments", "Models", "SCTBench", "SearchTrials", "TwinPrograms", "Unseen",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "search-table",
      dependencies: [
        "Arguments", "Coincidences", "Models", "SearchTrials", "TwinPrograms", "Unseen",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TraitSpeed",
      dependencies: [
        "SmallActor",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
        .product(name: "SimulatorTesting", package: "swift-race-simulator"),
      ],
      swiftSettings: strict),
  ]
)
