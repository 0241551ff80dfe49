import Catalog
import Foundation
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// What the catalog tells of its sources.
@Suite struct LessonTests {
  @Test(arguments: CatalogSystems.all.map { $0.descriptor })
  func `every system says what it was drawn from, and what each of its guards is for`(
    descriptor: SystemDescriptor
  ) throws {
    let lesson = try #require(descriptor.lesson)
    #expect(lesson.origin.hasSuffix("."))
    let found = FoundLesson(lesson, of: descriptor.variants)
    #expect(found.missing == nil)
    let folder = try #require(found.folder)
    #expect(folder.hasPrefix("Sources/Catalog/"))
    #expect(lesson.file.hasPrefix(Catalogued.repository.appending(path: folder).path() + "/"))
    #expect(Set(found.guards.map(\.name)) == Set(lesson.guards.keys), "\(descriptor.name)")
    #expect(lesson.guards.values.allSatisfy { $0.hasSuffix(".") })
    // And they are all that the folder has, so that none is left untold.
    #expect(try Self.marks(in: lesson) == Set(lesson.guards.keys), "\(descriptor.name)")
  }

  @Test(arguments: CatalogSystems.all.map { $0.descriptor })
  func `every variant that breaks is shown with the lines that mend it`(descriptor: SystemDescriptor) throws {
    let lesson = try #require(descriptor.lesson)
    #expect(Set(lesson.sources.keys) == Set(descriptor.variants.map(\.name)))
    let found = FoundLesson(lesson, of: descriptor.variants)
    let broken = descriptor.variants.filter { !$0.isSound }.map(\.name)
    #expect(Set(found.fixes.flatMap(\.broken)) == Set(broken))
    #expect(found.fixes.allSatisfy { $0.diff.changes > 0 })
  }

  @Test(arguments: CatalogSystems.all.map { $0.descriptor })
  func `the first variant that breaks is shown whole`(descriptor: SystemDescriptor) throws {
    let lesson = try #require(descriptor.lesson)
    let found = FoundLesson(lesson, of: descriptor.variants)
    let first = try #require(descriptor.variants.first { !$0.isSound } ?? descriptor.variants.first).name
    let files = try #require(lesson.sources[first])
    #expect(
      found.code.map { URL(filePath: $0.path).lastPathComponent }
        == files.map {
          URL(filePath: $0).lastPathComponent
        })
    for file in found.code {
      let path = Catalogued.repository.appending(path: file.path)
      #expect(try file.text == String(contentsOf: path, encoding: .utf8))
    }
  }

  private static func marks(in lesson: SystemDescriptor.Lesson) throws -> Set<String> {
    let folder = URL(filePath: lesson.file).deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try Set(
      files.filter { $0.pathExtension == "swift" }.flatMap { file in
        try SourceCode(String(contentsOf: file, encoding: .utf8)).lines.compactMap(\.guardName)
      })
  }
}
