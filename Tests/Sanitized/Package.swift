// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The tests of the engine once more, without the rest of the package: a sanitizer needs a build of its own, and compiling
// what it does not look at would take most of its time. `SimulatorTests` is a link to the folder beside this one.
let package = Package(
  name: "Sanitized",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "swift-race-simulator", path: "../..")],
  targets: [
    .testTarget(
      name: "SimulatorTests", dependencies: [.product(name: "Simulator", package: "swift-race-simulator")],
      path: "SimulatorTests", swiftSettings: strict)
  ]
)
