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
let simulator = "swift-race-simulator"

// Strategies with the public API only: what they need, any user has. The compiler proves it, because this is another package.
let package = Package(
  name: "Lab",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "lab-speed", targets: ["lab-speed"])],
  dependencies: [
    .package(name: simulator, path: ".."),
    .package(name: "Benchmarks", path: "../Benchmarks"),
  ],
  targets: [
    .target(
      name: "Lab", dependencies: [.product(name: "SimulatorStrategies", package: simulator)],
      swiftSettings: strict),
    .executableTarget(
      name: "lab-speed",
      dependencies: [
        "Lab",
        .product(name: "Simulator", package: simulator),
        .product(name: "SimulatorStrategies", package: simulator),
        .product(name: "TwinPrograms", package: "Benchmarks"),
        .product(name: "Unseen", package: "Benchmarks"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LabTests",
      dependencies: [
        "Lab",
        .product(name: "SearchTrials", package: "Benchmarks"),
        .product(name: "Simulator", package: simulator),
        .product(name: "SimulatorStrategies", package: simulator),
        .product(name: "TwinPrograms", package: "Benchmarks"),
        .product(name: "Unseen", package: "Benchmarks"),
      ],
      swiftSettings: strict),
  ]
)
