import Foundation
import Testing

@testable import SimulatorFiles

@Suite struct AtomicFileTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private func fault(_ body: () throws -> Void) -> WriteFault? {
    do {
      try body()
      return nil
    } catch {
      return error as? WriteFault
    }
  }

  private func write(_ text: String, to name: String) throws {
    try AtomicFile(folder.path(name)).write(Array(text.utf8))
  }

  @Test func `a file is made, and replaced whole`() throws {
    try write("first", to: "a")
    #expect(try folder.text("a") == "first")
    try write("2", to: "a")
    #expect(try folder.text("a") == "2")
    #expect(try folder.names() == ["a"])
  }

  @Test func `what is added stands behind the old text, on a line of its own`() throws {
    let file = AtomicFile(folder.path("a"))
    try file.add(Array("one".utf8))
    try file.add(Array("two\n".utf8))
    try file.add(Array("three\n".utf8))
    #expect(try folder.text("a") == "one\ntwo\nthree\n")
    #expect(try folder.names() == ["a"])
    try AtomicFile("/dev/null").add([65])
    #expect(fault { try AtomicFile(folder.path("")).add([65]) } == .directory(folder.path("")))
  }

  @Test func `permissions stay`() throws {
    try write("old", to: "a")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("a"))
    try write("new", to: "a")
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("a"))[.posixPermissions]
    #expect(mode as? Int == 0o640)
  }

  @Test func `the owner stays`() throws {
    try write("old", to: "a")
    // Only root may give a file away.
    guard geteuid() == 0 else { return }
    try #require(unsafe chown(folder.path("a"), 12_345, 54_321) == 0)
    try write("new", to: "a")
    var info = stat()
    try #require(unsafe stat(folder.path("a"), &info) == 0)
    #expect(info.st_uid == 12_345)
    #expect(info.st_gid == 54_321)
    #expect(try folder.text("a") == "new")
  }

  @Test func `a file with several hard links is refused before and after`() throws {
    try write("old", to: "a")
    try FileManager.default.linkItem(atPath: folder.path("a"), toPath: folder.path("b"))
    let expected = WriteFault.severalLinks(folder.path("a"), 2)
    #expect(fault { try AtomicFile(folder.path("a")).check() } == expected)
    #expect(fault { try AtomicFile(folder.path("a")).write([65]) } == expected)
    #expect(try folder.text("b") == "old")
  }

  @Test func `a file with a mount of its own is refused before the search`() throws {
    // Where nothing may be mounted, as in a container, some file is mounted already.
    let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/mountinfo")).readToEnd()
    let mounts = String(decoding: try #require(bytes), as: UTF8.self).split(separator: "\n")
    let places = mounts.compactMap { $0.split(separator: " ").dropFirst(4).first.map(String.init) }
    for place in places where FileLink.isMounted(place) {
      var info = stat()
      guard unsafe stat(place, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_nlink == 1 else {
        continue
      }
      #expect(fault { try AtomicFile(place).check() } == .mounted(place))
    }
    #expect(FileLink.isMounted("/proc"))
    try write("old", to: "a b")
    #expect(!FileLink.isMounted(folder.path("a b")))
  }

  @Test func `a link stays a link to what is replaced`() throws {
    try write("old", to: "a")
    try folder.link("link", to: "a")
    try folder.link("dangling", to: "b")
    try write("new", to: "link")
    try write("made", to: "dangling")
    #expect(try folder.text("a") == "new")
    #expect(try folder.text("b") == "made")
    #expect(try folder.names() == ["a", "b", "dangling", "link"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "a")
  }

  @Test func `what is no plain file is written straight`() throws {
    #expect(fault { try AtomicFile("/dev/null").write([65]) } == nil)
    #expect(fault { try AtomicFile("/dev/full").write([65]) } == .full("/dev/full"))
    #expect(fault { try AtomicFile("/dev/null").write([65], over: []) } == .noPlainFile("/dev/null"))
    var isFolder: ObjCBool = false
    #expect(unsafe FileManager.default.fileExists(atPath: "/dev/null", isDirectory: &isFolder))
  }

  @Test func `a file that cannot be written is reported before and after, and nothing is left`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("folder"), withIntermediateDirectories: true)
    try folder.link("round", to: "round")
    let cases: [(String, (String) -> WriteFault)] = [
      ("missing/a", WriteFault.noFolder), ("folder", WriteFault.directory),
    ]
    for (name, expected) in cases {
      let path = folder.path(name)
      #expect(fault { try AtomicFile(path).check() } == expected(path))
      #expect(fault { try AtomicFile(path).write([65]) } == expected(path))
    }
    #expect(fault { try AtomicFile("").check() } == .unnamed)
    #expect(fault { try AtomicFile("/proc/nothing").check() } != nil)
    #expect(fault { try AtomicFile(folder.path("round")).check() } != nil)
    #expect(fault { try AtomicFile(folder.path(String(repeating: "x", count: 300))).check() } != nil)
    #expect(fault { try AtomicFile(folder.path("a\0b")).check() } != nil)
    #expect(try folder.names() == ["folder", "round"])
  }

  @Test func `a file that is not complete yet has no name`() throws {
    let temporary = try TemporaryFile(besides: folder.path("a"), for: "a")
    // Where the disk has no files without names, it has one.
    let names = try folder.names()
    #expect(names == [] || names.allSatisfy { $0.hasPrefix(".simrun-") })
    temporary.discard()
    #expect(try folder.names() == [])
  }

  @Test(arguments: [
    ("a", "."), ("/", "/"), ("/a", "/"), ("a/b", "a"), ("a/b/", "a"), ("/a//b", "/a"), ("//a", "/"),
    ("", "."),
    (".", "."), ("a/", "."), ("é/ü", "é"),
  ])
  func `the folder of a path is what dirname says`(path: String, folder: String) {
    #expect(FileLink.folder(of: path) == folder)
  }

  @Test func `a pipe, a socket and a folder's name are refused`() throws {
    let pipe = folder.path("p")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(fault { try AtomicFile(pipe).check() } == .special(pipe, .pipe))
    #expect(fault { try AtomicFile(pipe).write([65]) } == .special(pipe, .pipe))
    #expect(fault { try AtomicFile(folder.path("new/")).write([65]) } == .namesFolder(folder.path("new/")))
    #expect(fault { try AtomicFile("/dev/fd/777").write([65]) } == .notOpen("/dev/fd/777"))
    #expect(try folder.names() == ["p"])
  }

  @Test func `a check leaves everything as it was`() throws {
    try write("old", to: "a")
    try AtomicFile(folder.path("a")).check()
    try AtomicFile(folder.path("b")).check()
    #expect(try folder.text("a") == "old")
    #expect(try folder.names() == ["a"])
  }

  @Test(arguments: ["other", "olde", "ol", ""])
  func `a file that has changed is not replaced`(changed: String) throws {
    try write(changed, to: "a")
    let path = folder.path("a")
    #expect(fault { try AtomicFile(path).write([65], over: Array("old".utf8)) } == .changedMeanwhile(path))
    #expect(try folder.text("a") == changed)
    try write("old", to: "a")
    #expect(fault { try AtomicFile(path).write([65], over: Array("old".utf8)) } == nil)
    #expect(try folder.text("a") == "A")
    #expect(try folder.names() == ["a"])
  }

  @Test func `what a killed process left is removed, what another is writing is not`() throws {
    try folder.write("left", as: ".simrun-1-1.tmp")
    try folder.write("busy", as: ".simrun-1-2.tmp")
    let busy = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path(".simrun-1-2.tmp")))
    try #require(flock(busy.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    try write("new", to: "a")
    #expect(try folder.names() == [".simrun-1-2.tmp", "a"])
    try busy.close()
    try write("newer", to: "a")
    #expect(try folder.names() == ["a"])
  }

  @Test func `two who write the same file leave one of the two`() async throws {
    let path = folder.path("a")
    await withTaskGroup { group in
      for letter in [UInt8(65), 66] {
        group.addTask {
          for _ in 0..<50 { try? AtomicFile(path).write(Array(repeating: letter, count: 10_000)) }
        }
      }
    }
    let text = try folder.text("a")
    #expect(text.count == 10_000 && Set(text).count == 1)
    #expect(try folder.names() == ["a"])
  }
}
