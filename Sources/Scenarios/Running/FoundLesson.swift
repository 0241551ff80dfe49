import Foundation
import ScenarioFiles
import SimulatorFiles

/// What the sources of a system show: how a variant that breaks differs from one that holds, and where its guards stand.
struct FoundLesson {
  /// The lines between variants that break, whose source is the same, and the nearest that is meant to hold; or a variant that
  /// is nearer, and that is told itself how it is mended.
  struct Fix {
    fileprivate(set) var broken: [String]
    let nearest: String
    /// Whether the nearest one is meant to hold.
    let isMended: Bool
    let diff: SourceDiff
  }

  /// A guard of variants that hold.
  struct Guard {
    let name: String
    /// The file and its lines: `Sources/HardenedInbox.swift:36, 41`.
    let place: String
    /// What would be without it.
    let reason: String
  }

  /// A file of the sources, whole.
  struct File {
    let path: String
    let text: String
  }

  private(set) var fixes: [Fix] = []
  private(set) var guards: [Guard] = []
  /// The code of the first variant that breaks, or of the first one if none does.
  private(set) var code: [File] = []
  /// The source that is not on this machine; nil where all are.
  private(set) var missing: String?
  /// The folder of the sources, below that of their package; nil where a source is missing.
  private(set) var folder: String?

  /// Reads the sources that the lesson names.
  init(_ lesson: SystemDescriptor.Lesson, of variants: [SystemDescriptor.Variant]) {
    let folder = URL(fileURLWithPath: lesson.file).deletingLastPathComponent()
    let root = Self.package(around: folder)
    let sources = variants.compactMap { variant in
      lesson.sources[variant.name].map { files in
        Source(variant, files.map { folder.appending(path: $0).standardizedFileURL }, below: root)
      }
    }
    missing = sources.compactMap(\.missing).first
    guard missing == nil else { return }
    self.folder = folder.standardizedFileURL.path(percentEncoded: false).below(root)
    code = (sources.first { !$0.variant.isSound } ?? sources.first)?.files ?? []
    let held = sources.filter(\.variant.isSound)
    mend(sources.filter { !$0.variant.isSound }, by: held)
    guards = Self.guards(of: held, lesson)
  }

  /// Tells first of the one that differs least from one that holds, then of the one that differs least from any that was told
  /// of: so the lines in which all of them differ from what holds stand once.
  private mutating func mend(_ broken: [Source], by held: [Source]) {
    var left = broken
    var known = held
    while let (source, nearest, diff) = left.flatMap({ one in
      one.candidates(among: known).map { (one, $0, one.diff(to: $0)) }
    })
    .min(by: { $0.2.changes < $1.2.changes }) {
      let same = left.filter { $0.path == source.path }.map(\.variant.name)
      fixes.append(
        Fix(broken: same, nearest: nearest.variant.name, isMended: nearest.variant.isSound, diff: diff))
      known.append(source)
      left.removeAll { $0.path == source.path }
    }
  }

  /// In the order of the variants, of their files and of the lines.
  private static func guards(of sources: [Source], _ lesson: SystemDescriptor.Lesson) -> [Guard] {
    var places: [(name: String, path: String, lines: [Int])] = []
    var seen: Set<String> = []
    for file in sources.flatMap(\.files) where seen.insert(file.path).inserted {
      for line in SourceCode(file.text).lines {
        guard let name = line.guardName else { continue }
        if let known = places.firstIndex(where: { $0.name == name && $0.path == file.path }) {
          places[known].lines.append(line.number)
        } else {
          places.append((name, file.path, [line.number]))
        }
      }
    }
    return places.map { name, path, lines in
      let numbers = lines.map(String.init).joined(separator: ", ")
      return Guard(name: name, place: "\(path):\(numbers)", reason: lesson.guards[name] ?? "")
    }
  }

  /// The folder of the package in which `folder` stands, or `folder` itself.
  private static func package(around folder: URL) -> URL {
    var place = folder.standardizedFileURL
    while place.path(percentEncoded: false).count > 1 {
      if FileManager.default.fileExists(
        atPath: place.appending(path: "Package.swift").path(percentEncoded: false))
      {
        return place
      }
      place.deleteLastPathComponent()
    }
    return folder
  }
}

/// The files with the code of a variant.
private struct Source {
  let variant: SystemDescriptor.Variant
  private(set) var files: [FoundLesson.File] = []
  /// The first that cannot be read.
  private(set) var missing: String?
  private let name: String

  init(_ variant: SystemDescriptor.Variant, _ urls: [URL], below root: URL) {
    self.variant = variant
    name = urls.first?.deletingPathExtension().lastPathComponent ?? ""
    for url in urls {
      let path = url.path(percentEncoded: false)
      guard let bytes = try? SourceFile.bytes(of: path, limit: JSONLimits().bytes) else {
        missing = missing ?? path
        continue
      }
      files.append(FoundLesson.File(path: path.below(root), text: String(decoding: bytes, as: UTF8.self)))
    }
  }

  /// Those that it may be compared with: the one of its own kind, where it has one; of several that hold only `hardened` where
  /// it is `naive`.
  func candidates(among known: [Source]) -> [Source] {
    let mates = known.filter { $0.variant.isSound && $0.kind == kind }
    if mates.isEmpty { return known }
    return kind.isEmpty ? known.filter { !$0.variant.isSound || $0.kind.isEmpty } : mates
  }

  /// The variant's name without the words that say whether it holds: `lock` for `lock-naive`, nothing for `hardened`.
  private var kind: String {
    variant.name.split(separator: "-").filter { $0 != "naive" && $0 != "hardened" }.joined(separator: "-")
  }

  var path: String { files.map(\.path).joined(separator: ", ") }

  private func code(without prefix: String) -> SourceCode {
    SourceCode(joining: files.map { SourceCode($0.text, prefix: prefix) })
  }

  /// What differs in `other`, apart from what the variants are called.
  func diff(to other: Source) -> SourceDiff {
    let (own, others) = SourceCode.prefixes(name, other.name)
    return SourceDiff(
      from: code(without: own), to: other.code(without: others), paths: (path, other.path))
  }
}

extension String {
  /// The path from `folder` on, if it leads into that folder, without a slash at its end.
  fileprivate func below(_ folder: URL) -> String {
    let folder = folder.path(percentEncoded: false)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let path = hasSuffix("/") ? String(dropLast()) : self
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
