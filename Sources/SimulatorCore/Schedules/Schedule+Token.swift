internal import CConcurrencyHooks

extension Schedule {
  /// A schedule as one word to paste: the build it was recorded in, its deviations, and a digest of its trace.
  ///
  /// `debug/14:1/3,21:3/4#9f2c01aa` reads: recorded in a debug build; at choice 14 take option 1 of 3, at choice 21
  /// option 3 of 4, and everywhere else the natural one; the trace must hash to `9f2c01aa`. If steps may overlap, it
  /// begins with `debug-overlapping/`. If a step may be preempted before an access to memory, the place of the access
  /// follows, as in `debug-overlapping@5f3a9c01+4c/`: 0x4c bytes into the function whose name hashes to `5f3a9c01`. A seed of
  /// hashing other than 0 stands behind the build, as in `debug-hash7/`.
  public struct Token: Hashable, Codable, Sendable {
    /// The build that recorded a schedule. Release builds merge hops, so a tape binds only in its own build.
    public enum Build: String, Hashable, Codable, CaseIterable, Sendable {
      case debug, release

      /// The build in which this code is compiled.
      public static let current: Build = {
        #if DEBUG
          .debug
        #else
          .release
        #endif
      }()
    }

    /// The build that recorded the schedule.
    public let build: Build
    /// The schedule.
    public let schedule: Schedule
    /// The digest of the trace that the schedule must lead to.
    public let digest: UInt32
    /// The seed of hashing, which decides the order of sets and dictionaries.
    public let hashSeed: UInt32

    /// The seed of hashing in this process: the value of the environment variable `SIMULATOR_HASH_SEED`, or 0. The Swift runtime reads it
    /// once, before `main`.
    public static let currentHashSeed = unsafe ch_get_installation().hash_seed

    /// Creates a token for `schedule`, which led to a trace with `digest`.
    public init(
      build: Build = .current, schedule: Schedule, digest: UInt32, hashSeed: UInt32 = currentHashSeed
    ) {
      self.build = build
      self.schedule = schedule
      self.digest = digest
      self.hashSeed = hashSeed
    }
  }
}

extension Schedule.Token: CustomStringConvertible {
  public var description: String {
    let deviations = schedule.deviations.map { "\($0.position):\($0.taken)/\($0.options)" }
    let points = schedule.accessPoints.map { "@\($0.function.hexText)+\(String($0.offset, radix: 16))" }
      .joined()
    let seed = hashSeed == 0 ? "" : "\(Self.hashMark)\(hashSeed)"
    return
      "\(build.rawValue)\(seed)\(schedule.hasPreemptibleSteps ? Self.overlapMark : "")\(points)/\(deviations.joined(separator: ","))#\(digest.hexText)"
  }
}

extension Schedule.Token {
  fileprivate static let overlapMark = "-overlapping"
  fileprivate static let hashMark = "-hash"

  /// The reason why a text is not a token.
  public enum ParsingError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case noBuild
    case unknownBuild(String)
    case noDigest
    case badDigest(String)
    case badDeviation(String)
    case notAscending(position: Int)
    case badAccessPoint(String)
    case badHashSeed(String)

    public var description: String {
      switch self {
      case .tooLong(let limit):
        "a token has at most \(limit) characters; copy it whole from the line after “replay”"
      case .noBuild: "a token begins with “debug/” or “release/”"
      case .unknownBuild(let found): "a token begins with “debug/” or “release/”, not “\(found.visible)/”"
      case .noDigest: "a token ends with “#” and eight hexadecimal digits"
      case .badDigest(let found): "“\(found.visible)” after “#” is not eight hexadecimal digits"
      case .badDeviation(let found):
        "“\(found.visible)” is not POSITION:TAKEN/OPTIONS with 1 <= TAKEN < OPTIONS, as in 14:1/3"
      case .badAccessPoint(let found):
        "“@\(found.visible)” is not @FUNCTION+OFFSET with eight hexadecimal digits and up to eight, as in @5f3a9c01+4c"
      case .badHashSeed(let found):
        "“\(found.visible)” does not end with “-hash” and a number from 1 to 4294967295"
      case .notAscending(let position):
        "position \(position) does not come after the one before it; positions ascend"
      }
    }
  }

  /// The length of the longest text that is read as a token: 4 MiB.
  public static let maximumLength = 4 << 20

  /// Reads a token in the form that ``description`` writes. Throws ``ParsingError``. O(length).
  public init(parsing text: some StringProtocol) throws(ParsingError) {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
    guard let slash = text.firstIndex(of: "/") else { throw .noBuild }
    let parts = text[..<slash].split(separator: "@", omittingEmptySubsequences: false)
    let buildText = parts[0]
    var points: [Schedule.CodePoint] = []
    for part in parts.dropFirst() {
      guard let point = Self.point(part) else { throw .badAccessPoint(String(part.prefix(40))) }
      points.append(point)
    }
    let overlaps = buildText.hasSuffix(Self.overlapMark)
    let marked = overlaps ? buildText.dropLast(Self.overlapMark.count) : buildText
    let mark = marked.firstRange(of: Self.hashMark)
    guard let build = Build(rawValue: String(marked[..<(mark?.lowerBound ?? marked.endIndex)])) else {
      throw .unknownBuild(String(buildText.prefix(20)))
    }
    guard let seed = mark.map({ Self.seed(marked[$0.upperBound...]) }) ?? 0 else {
      throw .badHashSeed(String(marked.prefix(40)))
    }
    let rest = text[text.index(after: slash)...]
    guard let hash = rest.lastIndex(of: "#") else { throw .noDigest }
    let digestText = rest[rest.index(after: hash)...]
    guard digestText.utf8.count == 8, digestText.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let digest = UInt32(digestText, radix: 16)
    else { throw .badDigest(String(digestText.prefix(20))) }
    self.init(
      build: build, schedule: try Self.schedule(rest[..<hash], overlaps, points), digest: digest,
      hashSeed: seed)
  }

  private static func schedule(
    _ text: some StringProtocol, _ overlaps: Bool, _ points: [Schedule.CodePoint]
  ) throws(ParsingError) -> Schedule {
    guard !text.isEmpty else {
      return Schedule(deviations: [], hasPreemptibleSteps: overlaps, accessPoints: points)
    }
    var deviations: [Schedule.Deviation] = []
    var last = -1
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let deviation = deviation(part) else { throw .badDeviation(String(part.prefix(40))) }
      guard deviation.position > last else { throw .notAscending(position: deviation.position) }
      last = deviation.position
      deviations.append(deviation)
    }
    return Schedule(deviations: deviations, hasPreemptibleSteps: overlaps, accessPoints: points)
  }

  private static func point(_ text: some StringProtocol) -> Schedule.CodePoint? {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 8, (1...8).contains(parts[1].utf8.count),
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } }),
      let function = UInt32(parts[0], radix: 16), let offset = UInt32(parts[1], radix: 16)
    else { return nil }
    return Schedule.CodePoint(function: function, offset: offset)
  }

  private static func deviation(_ text: some StringProtocol) -> Schedule.Deviation? {
    let colon = text.split(separator: ":", omittingEmptySubsequences: false)
    guard colon.count == 2 else { return nil }
    let slash = colon[1].split(separator: "/", omittingEmptySubsequences: false)
    guard slash.count == 2, let position = number(colon[0]), let taken = number(slash[0]),
      let options = number(slash[1]), taken >= 1, taken < options
    else { return nil }
    return Schedule.Deviation(position: position, taken: taken, options: options)
  }

  private static func seed(_ text: some StringProtocol) -> UInt32? {
    guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return UInt32(text).flatMap { $0 == 0 ? nil : $0 }
  }

  /// Reads a number that consists of digits only: no sign, no blank, and at most nine digits.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

extension UInt32 {
  /// Eight hexadecimal digits.
  package var hexText: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
