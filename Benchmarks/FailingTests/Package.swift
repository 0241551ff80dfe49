// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FailingTests",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "swift-race-simulator", path: "../..")],
  targets: [
    .testTarget(
      name: "FailingTests",
      dependencies: [
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorHTTP", package: "swift-race-simulator"),
        .product(name: "SimulatorTesting", package: "swift-race-simulator"),
      ])
  ]
)
