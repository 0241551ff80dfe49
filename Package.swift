// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "swift-race-simulator",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Simulator", targets: ["Simulator"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .executable(name: "simrun", targets: ["simrun"]),
  ],
  targets: [
    .target(name: "CConcurrencyHooks"),
    .target(name: "Simulator", dependencies: ["CConcurrencyHooks"], swiftSettings: strict),
    .target(name: "Scenarios", dependencies: ["Simulator"], swiftSettings: strict),
    .executableTarget(name: "simrun", dependencies: ["Scenarios"], swiftSettings: strict),
    .testTarget(name: "SimulatorTests", dependencies: ["Simulator"], swiftSettings: strict),
    .testTarget(name: "ScenariosTests", dependencies: ["Scenarios", "Simulator"], swiftSettings: strict),
    .testTarget(name: "simrunTests", dependencies: ["simrun"], swiftSettings: strict),
  ]
)
