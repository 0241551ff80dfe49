// swift-tools-version: 6.2
import PackageDescription

// Packages as users write them, in one: so the engine is compiled once for all of them.

let simulator = "swift-race-simulator"

let package = Package(
  name: "Users",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: simulator, path: "../..")],
  targets: [
    // An app that has plain names of its own, tested in either mode and with either testing library.
    .target(name: "Shop"),
    .testTarget(
      name: "ShopTests", dependencies: ["Shop", .product(name: "SimulatorTesting", package: simulator)],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .testTarget(
      name: "ShopXCTests", dependencies: ["Shop", .product(name: "SimulatorXCTest", package: simulator)],
      swiftSettings: [.swiftLanguageMode(.v5)]),

    // An app whose tests use the fakes and no simulation, with either testing library.
    .testTarget(
      name: "FakesOnlyTests", dependencies: [.product(name: "SimulatorFakes", package: simulator)],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),

    // A module and an actor whose names begin as ours do.
    .target(name: "SimulatorGame"),
    .testTarget(
      name: "SimulatorGameTests",
      dependencies: ["SimulatorGame", .product(name: "Simulator", package: simulator)]),

    // An app whose mail goes through a fake of its own.
    .target(name: "Mailing"),
    .target(
      name: "MailingFakes", dependencies: ["Mailing", .product(name: "Simulator", package: simulator)]),
    .testTarget(
      name: "MailingTests",
      dependencies: [
        "Mailing", "MailingFakes",
        .product(name: "Simulator", package: simulator),
        .product(name: "SimulatorTesting", package: simulator),
      ]),
    .executableTarget(
      name: "mailing-simrun",
      dependencies: [
        "Mailing", "MailingFakes",
        .product(name: "Scenarios", package: simulator),
        .product(name: "Simulator", package: simulator),
      ]),
  ]
)
