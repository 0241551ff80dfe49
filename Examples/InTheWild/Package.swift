// swift-tools-version: 6.2
import PackageDescription

let simulator = "swift-race-simulator"
let underSimulation: [Target.Dependency] = [
  .product(name: "Simulator", package: simulator),
  .product(name: "SimulatorTesting", package: simulator),
]

// Exact versions: the tests say what these versions do.
let package = Package(
  name: "InTheWild",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: simulator, path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "debounce",
      dependencies: [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "Simulator", package: simulator),
      ]),
    .testTarget(
      name: "AsyncAlgorithmsTests",
      dependencies: [.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")] + underSimulation),
    .testTarget(
      name: "NIOTests",
      dependencies: [
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
      ] + underSimulation),
  ]
)
