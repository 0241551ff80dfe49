import Foundation

/// Who noticed that a guard was undone.
enum Notice {
  /// A scenario, by an invariant, in its n-th schedule.
  case scenario(String, invariant: String, schedule: String)
  /// A story that `simrun fuzz` made up, by an invariant.
  case story(invariant: String, schedule: String)
  /// A scenario whose process trapped or hung.
  case trap(String, status: Int32)
  /// The compiler: the code does not build without the guard.
  case compiler
  case nobody

  var text: String {
    switch self {
    case .scenario(let name, let invariant, let schedule):
      "`\(name)` by `\(invariant)`" + (schedule.isEmpty ? "" : ", schedule \(schedule)")
    case .story(let invariant, let schedule):
      "a story by `\(invariant)`" + (schedule.isEmpty ? "" : ", schedule \(schedule)")
    case .trap(let name, let status): "`\(name)`: the process ended with status \(status)"
    case .compiler: "the compiler"
    case .nobody: "**nobody**"
    }
  }
}

/// What the scenarios of a package are called, and which system each is about.
struct Scenarios {
  private let names: [(name: String, system: String)]

  /// Those of the file at the top of `package` and of the files that it includes.
  init(of package: URL) throws {
    names = try Self.read("scenarios.json", in: package)
  }

  /// The scenarios of the system that is called like this in its descriptor.
  func of(_ system: String) -> [String] { names.filter { $0.system == system }.map(\.name) }

  private struct File: Decodable {
    let include: [String]?
    let scenarios: [Entry]?
  }

  private struct Entry: Decodable {
    let name: String
    let system: String
  }

  private static func read(_ path: String, in package: URL) throws -> [(name: String, system: String)] {
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: package.appending(path: path)))
    return (file.scenarios ?? []).map { ($0.name, $0.system) }
      + (try (file.include ?? []).flatMap { try read($0, in: package) })
  }
}
