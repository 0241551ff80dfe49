internal import Simulator

extension Checker {
  private static let required = ["name", "about", "system", "script", "expect"]
  private static let optional = ["with", "world", "check", "search", "untested", "replays"]

  /// One entry of `scenarios`.
  mutating func scenario(_ node: JSONNode, names: inout UniqueNames) -> Scenario? {
    let required = Self.required.filter { !mayLackExpectations || $0 != "expect" }
    let optional = Self.optional + (mayLackExpectations ? ["expect"] : [])
    let fields = fields(of: node, "a scenario", required: required, optional: optional)
    guard let fields else { return nil }
    let name = scenarioName(fields["name"], names: &names)
    let about = fields["about"].flatMap { string($0) }
    let search = fields["search"].map { self.search($0) } ?? Search()
    until = search.until
    guard let descriptor = descriptor(fields["system"]) else { return nil }
    let checks = checks(fields["check"], of: descriptor)
    var scenario = Scenario(
      name: name, about: about ?? "", system: descriptor.name,
      settings: settings(fields["with"], of: descriptor),
      offers: fields["with"]?.isAnything == true ? SettingOffer.all(of: descriptor) : [],
      world: world(fields["world"], of: descriptor), script: script(fields["script"], of: descriptor),
      checks: checks.known,
      search: search, expectations: expectations(fields["expect"], of: descriptor, checks: checks),
      replays: replays(fields["replays"], of: descriptor), position: position(of: node))
    if let untested = fields["untested"] { self.untested(untested, in: &scenario) }
    return scenario
  }

  private mutating func scenarioName(_ node: JSONNode?, names: inout UniqueNames) -> String {
    guard let node, let name = plainName(node, .scenario) else { return "" }
    claim(name, in: &names, at: node.range)
    return name
  }

  /// The descriptor of the system that is named. When it is misspelled, the rest is checked against the
  /// nearest.
  private mutating func descriptor(_ node: JSONNode?) -> SystemDescriptor? {
    guard let node else { return nil }
    let allowed = vocabulary.systems.map(\.name)
    if let name = name(node, .system, allowed: allowed) { return vocabulary.system(name) }
    guard case .string(let misspelled) = node.value else { return nil }
    return NearestName.of(misspelled, in: allowed).flatMap { vocabulary.system($0) }
  }

  private mutating func settings(_ node: JSONNode?, of descriptor: SystemDescriptor) -> NamedValues {
    let owner = "\"with\" of \(Echo.quoted(descriptor.name))"
    let allowed = descriptor.settings.map(\.name)
    let fields = node.flatMap {
      $0.isAnything ? nil : self.fields(of: $0, owner, required: [], optional: allowed)
    }
    return values(of: descriptor.settings, in: fields)
  }

  /// The values of the parameters in the order of the descriptor, and its defaults where the file is silent.
  mutating func values(of parameters: [SystemDescriptor.Parameter], in fields: Fields?) -> NamedValues {
    NamedValues(
      parameters.compactMap { parameter in
        let given = fields?[parameter.name].flatMap { self.parameter($0, parameter.kind) }
        return (given ?? parameter.defaultValue).map { .init(name: parameter.name, value: $0) }
      })
  }
}
