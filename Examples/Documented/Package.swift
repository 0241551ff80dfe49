// swift-tools-version: 6.2
import PackageDescription

// The examples of the doc comments in Sources, which `.ci/examples` writes from there into this package.
let package = Package(
  name: "Documented",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "swift-race-simulator", path: "../..")],
  targets: [
    .target(
      name: "Documented",
      dependencies: [
        .product(name: "Scenarios", package: "swift-race-simulator"),
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorHTTP", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
        .product(name: "SimulatorTesting", package: "swift-race-simulator"),
        .product(name: "SimulatorXCTest", package: "swift-race-simulator"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ]
)
