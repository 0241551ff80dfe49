// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Quickstart",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "swift-race-simulator", path: "../..")],
  targets: [
    .executableTarget(
      name: "quickstart",
      dependencies: [.product(name: "Simulator", package: "swift-race-simulator")]),
    .executableTarget(
      name: "profile",
      dependencies: [
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorHTTP", package: "swift-race-simulator"),
      ]),
    // page: told
    .executableTarget(
      name: "race",
      dependencies: [.product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-sanitize=thread"])]),
    // page: end
    .executableTarget(
      name: "order",
      dependencies: [.product(name: "Simulator", package: "swift-race-simulator")],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-sanitize=thread"])]),
  ]
)
