// swift-tools-version: 6.2
import PackageDescription

// Tests of code that is compiled with `-Xfrontend -sanitize=thread`. Some of their files are links to those of the package itself.
// Only the test target has the flag, so the engine is not compiled again.
let package = Package(
  name: "Instrumented",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "swift-race-simulator", path: "../..")],
  targets: [
    .target(name: "Outcomes"),
    .testTarget(
      name: "InstrumentedTests",
      dependencies: [
        "Outcomes",
        .product(name: "Simulator", package: "swift-race-simulator"),
        .product(name: "SimulatorHTTP", package: "swift-race-simulator"),
        .product(name: "SimulatorStrategies", package: "swift-race-simulator"),
      ],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-sanitize=thread"])]),
  ]
)
