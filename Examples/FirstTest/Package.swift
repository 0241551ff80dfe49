// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Bank",
  dependencies: [.package(name: "swift-race-simulator", path: "../..")],
  targets: [
    .target(name: "Bank"),
    .testTarget(
      name: "BankTests",
      dependencies: ["Bank", .product(name: "SimulatorTesting", package: "swift-race-simulator")]),
  ]
)
