// swift-tools-version: 6.2
import PackageDescription

let upcoming: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let strict = upcoming + [.strictMemorySafety()]

// A report looks up the lines of the program under test, and the toolchain reads all debug information for each: that of the engine
// would be most of it. `SIMULATOR_DEBUG_INFO=1` keeps it, for work on the engine in a debugger.
let undebugged: (swift: [String], c: [String]) =
  Context.environment["SIMULATOR_DEBUG_INFO"] == nil ? (["-Xfrontend", "-gnone"], ["-g0"]) : ([], [])

// A search runs the engine thousands of times in every test, and tests are built for debugging. So a debug build compiles the
// modules that take part in each step as a release build does: optimized, and as a whole. The checks for exclusive access took half
// of the time of a short schedule, and these modules are built without them; their tests run with them under `.ci/run`'s sanitizers.
// What is done once a schedule is not worth that: `Simulator`, optimized, made no search of tests faster, and every build slower.
// The code under test is built as its own package says.
let optimizedC: [CSetting] = [
  .unsafeFlags(["-O2"], .when(configuration: .debug)), .unsafeFlags(undebugged.c),
]
// Where the program under test is compiled with `-Xfrontend -sanitize=thread`, so that each atomic and each access to memory
// is told, the engine's own are not.
let untold = [
  "memory-accesses", "atomics", "func-entry-exit", "memintrinsics",
].flatMap { ["-Xllvm", "-tsan-instrument-\($0)=false"] }
let tool = strict + [.unsafeFlags(untold + undebugged.swift)]
let optimized =
  tool + [
    .unsafeFlags(
      [
        "-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "4",
      ], .when(configuration: .debug))
  ]
let engine = optimized + [.unsafeFlags(["-enforce-exclusivity=unchecked"])]

let package = Package(
  name: "swift-race-simulator",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Simulator", targets: ["Simulator"]),
    .library(name: "SimulatorFakes", targets: ["SimulatorFakes"]),
    .library(name: "SimulatorHTTP", targets: ["SimulatorHTTP"]),
    .library(name: "SimulatorStrategies", targets: ["SimulatorStrategies"]),
    .library(name: "SimulatorTesting", targets: ["SimulatorTesting"]),
    .library(name: "SimulatorXCTest", targets: ["SimulatorXCTest"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .executable(name: "simrun", targets: ["simrun"]),
  ],
  targets: [
    .target(
      name: "CConcurrencyHooks",
      cSettings: optimizedC
        + ["Code", "Dispatch", "Escapes", "Foundation", "Memory", "Runtime", "Threads"].map {
          .headerSearchPath($0)
        }),
    .target(name: "CProcesses", cSettings: optimizedC),
    // Values: schedules, traces, and what an invariant and a violation are.
    .target(name: "SimulatorCore", dependencies: ["CConcurrencyHooks", "CProcesses"], swiftSettings: engine),
    // What a strategy is, and what it receives.
    .target(name: "SimulatorStrategyInterface", dependencies: ["SimulatorCore"], swiftSettings: engine),
    // Who decides. `Simulator` shows five of them; a user imports this one for the others, or to write one.
    .target(name: "SimulatorStrategies", dependencies: ["SimulatorStrategyInterface"], swiftSettings: engine),
    // What must hold.
    .target(name: "SimulatorInvariants", dependencies: ["SimulatorCore"], swiftSettings: engine),
    // How one schedule runs.
    .target(
      name: "SimulatorKernel",
      dependencies: ["CConcurrencyHooks", "CProcesses", "SimulatorCore", "SimulatorStrategyInterface"],
      swiftSettings: engine),
    // What a program runs against. A user who only needs fakes imports this one.
    .target(
      name: "SimulatorFakes", dependencies: ["SimulatorCore", "SimulatorKernel"], swiftSettings: engine),
    // Many schedules: the search, and what it tells. A user imports this one.
    .target(
      name: "Simulator",
      dependencies: [
        "CConcurrencyHooks", "CProcesses", "SimulatorCore", "SimulatorFakes", "SimulatorInvariants",
        "SimulatorKernel", "SimulatorStrategies", "SimulatorStrategyInterface",
      ],
      swiftSettings: tool),
    // How it is shown: a page for a browser.
    .target(
      name: "SimulatorReports", dependencies: ["Simulator"],
      resources: [.embedInCode("Page/page.css"), .embedInCode("Page/page.js")], swiftSettings: tool),
    // Files of people: read, and replaced whole.
    .target(name: "SimulatorFiles", dependencies: ["Simulator"], swiftSettings: tool),
    // Apart, because it loads Foundation's networking and its threads.
    .target(
      name: "SimulatorHTTP", dependencies: ["CConcurrencyHooks", "Simulator"], swiftSettings: tool),
    // What the two below have in common, and the names that they show a test.
    .target(
      name: "SimulatorTestSupport",
      dependencies: ["Simulator", "SimulatorFiles", "SimulatorReports", "SimulatorStrategyInterface"],
      swiftSettings: tool),
    .target(
      name: "SimulatorTesting",
      dependencies: [
        "CConcurrencyHooks", "Simulator", "SimulatorReports", "SimulatorStrategyInterface",
        "SimulatorTestSupport",
      ],
      swiftSettings: tool),
    .target(
      name: "SimulatorXCTest",
      dependencies: ["Simulator", "SimulatorReports", "SimulatorStrategyInterface", "SimulatorTestSupport"],
      swiftSettings: tool),
    // A scenario file, from its bytes to checked values; and what a system is. Each run of the tool reads all files, and half of
    // the tests run the tool: so it is optimized, too.
    .target(
      name: "ScenarioFiles", dependencies: ["Simulator", "SimulatorFiles", "SimulatorStrategies"],
      swiftSettings: optimized),
    // The tool that runs scenarios.
    .target(
      name: "Scenarios",
      dependencies: [
        "CProcesses", "ScenarioFiles", "Simulator", "SimulatorFiles", "SimulatorReports",
        "SimulatorStrategies",
      ],
      swiftSettings: tool),
    // The example systems. No product: only this package's `simrun` and its tests link them.
    .target(
      name: "Catalog", dependencies: ["CatalogInSwift5", "Scenarios", "Simulator", "SimulatorHTTP"],
      swiftSettings: strict),
    // Variants that Swift 6 mode refuses to compile, which is what they show.
    .target(name: "CatalogInSwift5", swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "simrun", dependencies: ["Catalog", "Scenarios"], swiftSettings: tool),
    // How much the tests try.
    .target(name: "TestEffort", path: "Tests/TestEffort", swiftSettings: strict),
    .testTarget(
      name: "SimulatorTests",
      dependencies: [
        "Simulator", "SimulatorCore", "SimulatorFakes", "SimulatorInvariants", "SimulatorKernel",
        "SimulatorStrategies", "TestEffort",
      ],
      swiftSettings: strict),
    // Without strict memory safety: the macro of an exit test expands to unsafe code that nobody can mark.
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "CConcurrencyHooks", "CProcesses", "Catalog", "Simulator", "SimulatorCore", "SimulatorKernel",
        "SimulatorStrategies", "TestEffort",
      ],
      swiftSettings: upcoming),
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "Catalog", "ScenarioFiles", "Scenarios", "Simulator", "SimulatorFiles", "SimulatorReports",
        "SimulatorStrategies",
        "TestEffort",
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "CatalogTests",
      dependencies: [
        "Catalog", "Scenarios", "Simulator", "SimulatorReports", "SimulatorStrategies", "TestEffort",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SimulatorHTTPTests",
      dependencies: ["Simulator", "SimulatorHTTP", "SimulatorStrategies", "SimulatorTesting", "TestEffort"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulatorTestingTests",
      dependencies: [
        "Simulator", "SimulatorHTTP", "SimulatorStrategies", "SimulatorTesting", "SimulatorXCTest",
        "TestEffort",
      ],
      swiftSettings: strict),
    // A `simrun` whose systems end their process.
    .executableTarget(
      name: "CrashingTool", dependencies: ["Scenarios", "Simulator"], path: "Tests/CrashingTool",
      exclude: ["disturbed.json", "shared.json", "troubles.json"], swiftSettings: strict),
    .testTarget(
      name: "simrunTests", dependencies: ["CrashingTool", "simrun", "TestEffort"], swiftSettings: strict),
  ]
)
