import Foundation

/// What the command line asks for.
struct Options {
  static let usage = """
    usage: mutation-table [OPTION]...

      --package FOLDER    the package; the current folder unless said
      --markdown FILE     write the table there
      --systems A,B       these folders of the catalog only
      --sample N          N mutants drawn by chance, of all that compile
      --seed S            draws another sample; 0 unless said
      --jobs N            judge N mutants at the same time; 2 unless said
      --stories N         draw N stories for each variant against each mutant that the scenarios let live, after all short
                          ones; 5000 unless said, 0 for no stories at all
      --with ARGS         also run "simrun ARGS", in which SYSTEM stands for the system's name, against each mutant that
                          the scenarios let live; may be given several times
      --verdicts FILE     keep each verdict there; mutants of which it has one are not judged again
      --again A,B         forget what the file says of these systems
      --survivors         forget that mutants have survived
      --table             judge nothing: write the table of the verdicts that are there
      --list              print the mutants, and build nothing

    """

  private(set) var package = URL(filePath: FileManager.default.currentDirectoryPath)
  private(set) var markdown: String?
  private(set) var systems: Set<String>?
  private(set) var sample: Int?
  private(set) var seed: UInt64 = 0
  private(set) var jobs = 2
  private(set) var stories = 5_000
  private(set) var others: [[String]] = []
  private(set) var verdicts: String?
  private(set) var forgotten: Set<String> = []
  private(set) var isForSurvivors = false
  private(set) var isList = false
  private(set) var isTableOnly = false

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      switch option {
      case "--list":
        isList = true
        continue
      case "--table":
        isTableOnly = true
        continue
      case "--survivors":
        isForSurvivors = true
        continue
      default: break
      }
      guard let value = rest.next() else {
        throw Failure(description: "\(option) needs a value\n\(Self.usage)")
      }
      switch option {
      case "--package": package = URL(filePath: value)
      case "--markdown": markdown = value
      case "--systems": systems = Set(value.split(separator: ",").map(String.init))
      case "--sample": sample = try Self.number(value, of: option)
      case "--seed": seed = UInt64(try Self.number(value, of: option))
      case "--jobs": jobs = max(1, try Self.number(value, of: option))
      case "--stories": stories = try Self.number(value, of: option)
      case "--with": others.append(value.split(separator: " ").map(String.init))
      case "--verdicts": verdicts = value
      case "--again": forgotten = Set(value.split(separator: ",").map(String.init))
      default: throw Failure(description: "unknown option \(option)\n\(Self.usage)")
      }
    }
  }

  private static func number(_ text: String, of option: String) throws(Failure) -> Int {
    guard let number = Int(text), number >= 0 else {
      throw Failure(description: "\(option) needs a number, not \(text)")
    }
    return number
  }

  /// `all`, or a sample of them that the seed decides, in their order.
  func drawn<T>(from all: [T]) -> [T] {
    guard let sample, sample < all.count else { return all }
    var generator = SplitMix(state: seed)
    return all.indices.shuffled(using: &generator).prefix(sample).sorted().map { all[$0] }
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
