// swift-tools-version: 6.2
import PackageDescription

let simulator = "swift-race-simulator"
let upcoming: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Exact versions: the facts say what these versions do.
let package = Package(
  name: "Contracts",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: simulator, path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    .target(
      name: "Contracts",
      dependencies: [
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Simulator", package: simulator),
        .product(name: "SimulatorHTTP", package: simulator),
      ], swiftSettings: upcoming),
    .executableTarget(name: "contract-table", dependencies: ["Contracts"], swiftSettings: upcoming),
    .testTarget(name: "ContractTests", dependencies: ["Contracts"], swiftSettings: upcoming),
  ]
)
