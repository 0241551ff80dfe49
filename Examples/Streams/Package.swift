// swift-tools-version: 6.2
import PackageDescription

let simulator = "swift-race-simulator"

let package = Package(
  name: "Streams",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: simulator, path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
  ],
  targets: [
    .target(
      name: "Streams", dependencies: [.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")]),
    .testTarget(
      name: "StreamsTests",
      dependencies: [
        "Streams",
        .product(name: "Simulator", package: simulator),
        .product(name: "SimulatorTesting", package: simulator),
      ]),
  ]
)
