// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

// A package of its own, because it must build in seconds: it depends on nothing, not even on the simulator.
let package = Package(
  name: "Tools",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "plan-check", targets: ["plan-check"])],
  targets: [
    .target(name: "PlanCheck", swiftSettings: strict + [.unsafeFlags(["-O"])]),
    .executableTarget(name: "plan-check", dependencies: ["PlanCheck"], swiftSettings: strict),
    .testTarget(name: "PlanCheckTests", dependencies: ["PlanCheck"], swiftSettings: strict),
  ]
)
