// swift-tools-version: 6.2
import Foundation
import PackageDescription

// page: flag
let flag: [SwiftSetting] =
  ProcessInfo.processInfo.environment["DATA_RACES"] == nil
  ? [] : [.unsafeFlags(["-Xfrontend", "-sanitize=thread"])]
// page: end

// The code of the pages in Sources/Simulator/Simulator.docc, which `.ci/readme` copies from here.
let package = Package(
  name: "Guides",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "swift-race-simulator", path: "../..")],
  targets: [
    // page: flagged
    .target(name: "Search", swiftSettings: flag),
    // page: end
    .executableTarget(
      name: "escape", dependencies: [.product(name: "Simulator", package: "swift-race-simulator")]),
    // page: outbox-targets
    // The app's own: it knows nothing of simulation.
    .target(name: "Outbox"),
    .target(
      name: "OutboxSystems",
      dependencies: [
        "Outbox",
        .product(name: "Scenarios", package: "swift-race-simulator"),
        .product(name: "Simulator", package: "swift-race-simulator"),
      ]),
    .executableTarget(
      name: "outbox-simrun",
      dependencies: [
        "OutboxSystems", .product(name: "Scenarios", package: "swift-race-simulator"),
      ]),
    // page: end
    .testTarget(
      name: "GuidesTests",
      dependencies: [
        "Search",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorHTTP", package: "swift-race-simulator"),
        .product(name: "SimulatorTesting", package: "swift-race-simulator"),
        .product(name: "SimulatorXCTest", package: "swift-race-simulator"),
      ],
      swiftSettings: flag),
    // Its tests fail on purpose: a page shows what they say.
    .testTarget(
      name: "FindingTests",
      dependencies: ["Search", .product(name: "SimulatorTesting", package: "swift-race-simulator")]),
  ]
)
