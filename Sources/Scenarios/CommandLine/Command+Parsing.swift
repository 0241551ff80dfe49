import ScenarioFiles
import Simulator
import SimulatorFiles

extension Command {
  /// Reads the arguments after the program's name.
  init(_ arguments: [String], in vocabulary: Vocabulary) throws(CommandLineFault) {
    if arguments.first == Self.help {
      self = .help(try Self.helped(arguments.dropFirst()))
      return
    }
    let named = try Self.commandName(in: arguments)
    let scanner = try ArgumentScanner(arguments, of: named)
    if scanner.contains(.help) {
      self = .help(named)
    } else if scanner.contains(.version) {
      self = .version
    } else {
      self = try Self.command(named ?? .run, scanner, named: named != nil, in: vocabulary)
    }
  }

  /// As in `simrun help fuzz`, which is `simrun fuzz --help`.
  private static let help = "help"

  private static func helped(_ operands: ArraySlice<String>) throws(CommandLineFault) -> CommandName? {
    guard let name = operands.first(where: { $0 != Option.help.rawValue }) else { return nil }
    guard let command = CommandName(rawValue: name) else { throw .unknownCommand(name) }
    return command
  }

  /// The first operand, if it is a command. A file may stand there too; it is known by a dot or a slash in
  /// its name. Behind a request for help anything may.
  private static func commandName(in arguments: [String]) throws(CommandLineFault) -> CommandName? {
    guard let first = firstOperand(of: arguments) else { return nil }
    if let name = CommandName(rawValue: first) { return name }
    let asksForHelp = arguments.prefix { $0 != first }.contains { $0 == "-h" || $0 == Option.help.rawValue }
    guard asksForHelp || first.contains(".") || first.contains("/") else { throw .unknownCommand(first) }
    return nil
  }

  /// Which options there are depends on the command, so all of them are stepped over to find it. Nil when
  /// there is none, or when an unknown option stands before it, of which the scanner will complain.
  private static func firstOperand(of arguments: [String]) -> String? {
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      guard argument.hasPrefix("-"), argument != "-" else { return argument }
      let name = String(argument.prefix { $0 != "=" })
      guard let option = Option(rawValue: name == "-h" ? Option.help.rawValue : name) else { return nil }
      if option.takesValue, name == argument { _ = rest.popFirst() }
    }
    return nil
  }

  private static func command(
    _ name: CommandName, _ scanner: ArgumentScanner, named: Bool, in vocabulary: Vocabulary
  ) throws(CommandLineFault) -> Command {
    let operands = Array(scanner.operands.dropFirst(named ? 1 : 0))
    switch name {
    case .run: return .run(try runOptions(files: operands, scanner, in: vocabulary))
    case .fuzz: return .fuzz(try fuzzOptions(operands, scanner, in: vocabulary))
    case .merge: return .merge(try mergeOptions(files: operands, scanner))
    case .check: return .check(files: operands)
    case .schema:
      try refuseExtra(operands, limit: 1, command: .schema)
      guard let kind = operands.first else { return .schema(.scenarios) }
      return .schema(try schemaKind(kind, in: vocabulary))
    case .new: return .new(try newOptions(operands))
    case .expect: return .expect(try expectOptions(files: operands, scanner))
    case .list:
      try refuseExtra(operands, limit: 1, command: .list)
      let pages = scanner.options.last { $0.option == .pages }?.value
      return .list(
        system: operands.first, asMarkdown: scanner.contains(.markdown) || pages != nil, pages: pages)
    case .replay: return .replay(try replayOptions(operands, scanner, of: .replay))
    case .trace: return .trace(try replayOptions(operands, scanner, of: .trace))
    case .exits:
      try refuseExtra(operands, limit: 0, command: .exits)
      return .exits
    case .audit:
      try refuseExtra(operands, limit: 2, command: .audit)
      return .audit(file: operands.first, scenario: operands.count > 1 ? operands[1] : nil)
    }
  }

  private static func runOptions(
    files: [String], _ scanner: ArgumentScanner, in vocabulary: Vocabulary
  ) throws(CommandLineFault) -> RunOptions {
    var run = RunOptions(files: files)
    for (option, value) in scanner.options {
      switch option {
      case .filter: run.filters.append(try glob(value))
      case .holding: run.isHoldingOnly = true
      case .schedules: run.overrides.schedules = try number(value, Search.scheduleLimits, of: option)
      case .seed: run.overrides.seed = try number(value, 0...UInt64.max, of: option)
      case .strategy: run.overrides.strategy = try strategy(value, in: vocabulary)
      case .fresh: run.overrides.isFresh = true
      case .strict: run.isStrict = true
      case .jobs: run.pool.jobs = try number(value, PoolSettings.jobLimits, of: option)
      case .timeLimit: run.pool.timeLimit = try time(value, of: option)
      case .shard, .shards: try add(try shards(value, option), to: &run.shards)
      case .record: run.records = true
      case .timings: run.outputs.hasTimings = true
      case .verbose: run.outputs.isVerbose = true
      case .format: run.outputs.format = try format(value)
      case .output: try add(value, to: &run.outputs.files)
      default: break
      }
    }
    guard let shards = run.shards else { return run }
    try refuse(.record, shards.option, .machinesHaveCopies, if: run.records)
    try refuse(.timings, shards.option, .timesDiffer, if: run.outputs.hasTimings)
    return run
  }

  private static func fuzzOptions(
    _ systems: [String], _ scanner: ArgumentScanner, in vocabulary: Vocabulary
  ) throws(CommandLineFault) -> FuzzOptions {
    var fuzz = FuzzOptions(systems: systems.unique)
    let allowed = vocabulary.systems.map(\.name)
    if let unknown = systems.first(where: { !allowed.contains($0) }) {
      throw .unknownName(.system, unknown, allowed: allowed)
    }
    for (option, value) in scanner.options {
      switch option {
      case .filter: fuzz.filters.append(try glob(value))
      case .variant: fuzz.variants.append(value)
      case .schedules: fuzz.stories.drawn = try number(value, Search.scheduleLimits, of: option)
      case .actions: fuzz.stories.atMost = try number(value, AnythingLine.atMostLimits, of: option)
      case .bound: fuzz.stories.bound = try bound(value)
      case .seed: fuzz.stories.seed = try number(value, 0...UInt64.max, of: option)
      case .strict: fuzz.isStrict = true
      case .jobs: fuzz.pool.jobs = try number(value, PoolSettings.jobLimits, of: option)
      case .timeLimit: fuzz.pool.timeLimit = try time(value, of: option)
      case .shard, .shards: try add(try shards(value, option), to: &fuzz.shards)
      case .record: fuzz.recording = value
      case .timings: fuzz.outputs.hasTimings = true
      case .verbose: fuzz.outputs.isVerbose = true
      case .format: fuzz.outputs.format = try format(value)
      case .output: try add(value, to: &fuzz.outputs.files)
      default: break
      }
    }
    guard let shards = fuzz.shards else { return fuzz }
    try refuse(.record, shards.option, .replaysRecord, if: fuzz.recording != nil)
    try refuse(.timings, shards.option, .timesDiffer, if: fuzz.outputs.hasTimings)
    return fuzz
  }

  /// `ACTIONS,ANSWERS,DEVIATIONS`, or `none`.
  private static func bound(_ text: String) throws(CommandLineFault) -> Strategies.StoryBound? {
    if text == "none" { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { throw .badBound(text) }
    let numbers = try parts.map { part throws(CommandLineFault) in
      try number(part, Search.storyLimits, of: .bound)
    }
    guard numbers[0] >= 1 else { throw .badBound(text) }
    return Strategies.StoryBound(actions: numbers[0], answers: numbers[1], deviations: numbers[2])
  }

  private static func shards(_ text: String, _ option: Option) throws(CommandLineFault) -> ShardChoice {
    if option == .shards { return .all(try number(text, ShardNumber.counts, of: option)) }
    guard let shard = ShardNumber(text) else { throw .badShard(text) }
    return .one(shard)
  }

  private static func add(_ shards: ShardChoice, to chosen: inout ShardChoice?) throws(CommandLineFault) {
    try refuse(.shard, .shards, .oneOrAll, if: chosen.map { $0.option != shards.option } ?? false)
    chosen = shards
  }

  private static func refuse(
    _ option: Option, _ other: Option, _ reason: OptionClash.Reason, if isSo: Bool
  ) throws(CommandLineFault) {
    if isSo { throw .notTogether(OptionClash(option: option, other: other, reason: reason)) }
  }

  private static func mergeOptions(
    files: [String], _ scanner: ArgumentScanner
  ) throws(CommandLineFault) -> MergeOptions {
    guard !files.isEmpty else { throw .missingOperand("REPORT", command: .merge) }
    var merge = MergeOptions(files: files)
    for (option, value) in scanner.options {
      switch option {
      case .partial: merge.isPartial = true
      case .verbose: merge.outputs.isVerbose = true
      case .format: merge.outputs.format = try format(value)
      case .output: try add(value, to: &merge.outputs.files)
      default: break
      }
    }
    return merge
  }

  private static func replayOptions(
    _ operands: [String], _ scanner: ArgumentScanner, of command: CommandName
  ) throws(CommandLineFault) -> ReplayOptions {
    let names = ["FILE", "SCENARIO", "VARIANT", "TOKEN"]
    guard operands.count >= names.count - (command == .trace ? 1 : 0) else {
      throw .missingOperand(names[operands.count], command: command)
    }
    try refuseExtra(operands, limit: names.count, command: command)
    let recording = scanner.options.last { $0.option == .record }?.value
    if recording != nil, operands[0] != CommandLineTool.madeUp { throw .recordsOnlyStories }
    var pages: [OutputFile] = []
    for (option, value) in scanner.options where option == .output { try add(value, to: &pages) }
    if let other = pages.first(where: { $0.format != .html }) {
      throw .unknownName(.format, other.format.name, allowed: [ReportFormat.html.name])
    }
    return ReplayOptions(
      file: operands[0], scenario: operands[1], variant: operands[2],
      token: operands.count > 3 ? operands[3] : nil, recording: recording, page: pages.last?.path)
  }
}

// MARK: - Values

extension Command {
  static func refuseExtra(
    _ operands: [String], limit: Int, command: CommandName
  ) throws(CommandLineFault) {
    if operands.count > limit { throw .extraOperand(operands[limit], command: command) }
  }

  static func glob(_ pattern: String) throws(CommandLineFault) -> Glob {
    guard let glob = Glob(pattern) else { throw .badPattern(pattern) }
    return glob
  }

  private static func schemaKind(
    _ name: String, in vocabulary: Vocabulary
  ) throws(CommandLineFault) -> SchemaKind {
    guard let kind = SchemaKind(named: name, in: vocabulary) else {
      throw .unknownName(.schema, name, allowed: SchemaKind.words + vocabulary.systems.map(\.name))
    }
    return kind
  }

  private static func format(_ name: String) throws(CommandLineFault) -> ReportFormat {
    guard let format = ReportFormat.named(name) else {
      throw .unknownName(.format, name, allowed: ReportFormat.all.map(\.name))
    }
    return format
  }

  /// `FORMAT=PATH`; two to one file are refused, whatever links lead to it.
  private static func add(_ value: String, to files: inout [OutputFile]) throws(CommandLineFault) {
    guard let equals = value.firstIndex(of: "=") else { throw .noOutputPath(value) }
    let path = String(value[value.index(after: equals)...])
    guard !path.isEmpty else { throw .noOutputPath(value) }
    let file = OutputFile(format: try format(String(value[..<equals])), path: path)
    let identity = FileLink.identity(of: path)
    if files.contains(where: { FileLink.identity(of: $0.path) == identity }) { throw .outputTwice(path) }
    files.append(file)
  }

  private static func strategy(_ name: String, in vocabulary: Vocabulary) throws(CommandLineFault) -> String {
    let allowed = vocabulary.strategies.map(\.name)
    guard allowed.contains(name) else { throw .unknownName(.strategy, name, allowed: allowed) }
    return name
  }

  private static func time(_ text: String, of option: Option) throws(CommandLineFault) -> Duration {
    guard let time = try? Nanoseconds(text: text), time.count > 0 else {
      throw .badTime(option: option.rawValue, found: text)
    }
    return time.duration
  }

  static func number<Integer: FixedWidthInteger>(
    _ text: String, _ bounds: ClosedRange<Integer>, of option: Option
  ) throws(CommandLineFault) -> Integer {
    let isPlain = text.utf8.allSatisfy(\.isDigit)
    guard isPlain, let number = Integer(text), bounds.contains(number) else {
      throw .badNumber(
        option: option.rawValue, found: text, low: "\(bounds.lowerBound)", high: "\(bounds.upperBound)")
    }
    return number
  }
}
