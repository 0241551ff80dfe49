// swift-tools-version: 6.2
import PackageDescription

let simulator = "swift-race-simulator"

let package = Package(
  name: "ReadingList",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: simulator, path: "../..")],
  targets: [
    // The app's own: it knows nothing of simulation.
    .target(name: "ReadingList"),
    .testTarget(
      name: "ReadingListTests",
      dependencies: [
        "ReadingList",
        .product(name: "Simulator", package: simulator),
        .product(name: "SimulatorHTTP", package: simulator),
        .product(name: "SimulatorTesting", package: simulator),
      ]),
    .target(
      name: "ReadingListSystems",
      dependencies: [
        "ReadingList",
        .product(name: "Scenarios", package: simulator),
        .product(name: "Simulator", package: simulator),
      ]),
    .executableTarget(
      name: "reading-list-simrun",
      dependencies: ["ReadingListSystems", .product(name: "Scenarios", package: simulator)]),
  ]
)
