// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, because swift-syntax takes minutes to build, and nothing else here depends on anything.
let package = Package(
  name: "Mutations",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "mutation-table", targets: ["mutation-table"])],
  dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax.git", exact: "603.0.1")],
  targets: [
    .target(
      name: "Mutator",
      dependencies: [
        .product(name: "SwiftOperators", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ],
      swiftSettings: strict),
    .executableTarget(name: "mutation-table", dependencies: ["Mutator"], swiftSettings: strict),
    .testTarget(name: "MutatorTests", dependencies: ["Mutator"], swiftSettings: strict),
  ]
)
