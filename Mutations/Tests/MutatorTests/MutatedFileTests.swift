import Mutator
import Testing

@Suite("Mutated files") struct MutatedFileTests {
  private let source = """
    actor Box {
      private var isOpen = false
      private let disk: any Disk

      init(disk: any Disk) {
        self.disk = disk
      }

      func save(_ text: String) async throws {
        guard isOpen else { throw Closed() }
        defer { note() }
        try await disk.write(text)
        close()
      }

      var count: Int { isOpen ? 1 : 0 }

      func isFull(_ size: Int) -> Bool { size >= 8 }
    }
    """

  private var file: MutatedFile { MutatedFile(source, at: "Sources/Box.swift") }

  private func texts(_ mutation: Operator, in function: String) -> [String] {
    file.mutants.filter { $0.mutation == mutation && $0.function == function }.map(\.text)
  }

  @Test func `a statement is dropped by what it is`() {
    #expect(texts(.dropAwait, in: "Box.save(_:)") == ["try await disk.write(text) → nothing"])
    #expect(texts(.dropDefer, in: "Box.save(_:)") == ["defer { note() } → nothing"])
    #expect(
      texts(.dropStatement, in: "Box.save(_:)") == [
        "guard isOpen else { throw Closed() } → nothing", "close() → nothing", "throw Closed() → nothing",
        "note() → nothing",
      ])
  }

  @Test func `neighbors change places, and an await moves`() {
    #expect(
      texts(.moveAwait, in: "Box.save(_:)") == [
        "defer { note() } ⏎ try await disk.write(text) → try await disk.write(text) ⏎ defer { note() }",
        "try await disk.write(text) ⏎ close() → close() ⏎ try await disk.write(text)",
      ])
    #expect(texts(.swapStatements, in: "Box.save(_:)").count == 1)
  }

  @Test func `a defer does not change places with what cannot leave the function`() {
    let file = MutatedFile(
      """
      func save() async throws {
        await begin()
        defer { end() }
        count += 1
        defer { count -= 1 }
        let request = Task { await send() }
        defer { request.cancel() }
        try check()
      }
      """, at: "Sources/Saver.swift")
    let moved = file.mutants.filter { $0.mutation == .swapStatements || $0.mutation == .moveAwait }
    #expect(
      moved.map(\.text) == [
        "defer { count -= 1 } ⏎ let request = Task { await send() }"
          + " → let request = Task { await send() } ⏎ defer { count -= 1 }",
        "let request = Task { await send() } ⏎ defer { request.cancel() }"
          + " → defer { request.cancel() } ⏎ let request = Task { await send() }",
        "defer { request.cancel() } ⏎ try check() → try check() ⏎ defer { request.cancel() }",
      ])
  }

  @Test func `assignments that have nothing to do with each other stay where they are`() {
    let file = MutatedFile(
      """
      func load(_ query: String) {
        version += 1
        screen.query = query
        screen.phase = .searching
        let older = screen
        self.older = older
        task = start()
        isOpen = true
      }
      """, at: "Sources/Load.swift")
    #expect(
      file.mutants.filter { $0.mutation == .swapStatements }.map(\.text) == [
        "screen.phase = .searching ⏎ let older = screen → let older = screen ⏎ screen.phase = .searching",
        "let older = screen ⏎ self.older = older → self.older = older ⏎ let older = screen",
        "self.older = older ⏎ task = start() → task = start() ⏎ self.older = older",
        "task = start() ⏎ isOpen = true → isOpen = true ⏎ task = start()",
      ])
  }

  @Test func `conditions are negated`() {
    #expect(texts(.negateCondition, in: "Box.save(_:)") == ["isOpen → !(isOpen)"])
    #expect(texts(.negateCondition, in: "Box.count") == ["isOpen ? 1 : 0 → !(isOpen) ? 1 : 0"])
  }

  @Test func `errors are swallowed and invented`() {
    #expect(
      texts(.swallowError, in: "Box.save(_:)") == ["try await disk.write(text) → try? await disk.write(text)"]
    )
    #expect(texts(.inventError, in: "Box.save(_:)").count == 1)
    #expect(texts(.inventError, in: "Box.isFull(_:)").isEmpty)
  }

  @Test func `literals, comparisons and results become their neighbors`() {
    #expect(texts(.otherLiteral, in: "Box.isOpen") == ["isOpen = false → isOpen = true"])
    #expect(texts(.otherLiteral, in: "Box.isFull(_:)") == ["size >= 8 → size >= 9"])
    #expect(texts(.otherComparison, in: "Box.isFull(_:)") == ["size >= 8 → size > 8"])
    #expect(texts(.otherResult, in: "Box.isFull(_:)").first == "size >= 8 → !(size >= 8)")
  }

  @Test func `to return before the last statement of a function is no mutant of its own`() {
    #expect(!texts(.returnEarly, in: "Box.save(_:)").contains("close() → return; close()"))
    #expect(texts(.returnEarly, in: "Box.save(_:)").contains("defer { note() } → return; defer { note() }"))
  }

  @Test func `each mutant is a branch whose lines are known`() throws {
    var mutant = try #require(file.mutants.first { $0.mutation == .otherComparison })
    mutant.number = 7
    let (text, lines) = file.text(with: [mutant])
    let own = try #require(lines.first)
    let numbered = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(own.number == 7)
    #expect(text.contains("case 7:"))
    #expect(numbered[own.0.lowerBound - 1..<own.0.upperBound - 1].contains { $0.contains("return size > 8") })
    #expect(text.contains("return size >= 8"))
  }

  @Test func `without mutants the file is as it was`() {
    #expect(file.text(with: []).text == source)
  }

  @Test func `an initial value is chosen where it stands`() throws {
    var mutant = try #require(file.mutants.first { $0.function == "Box.isOpen" })
    mutant.number = 3
    #expect(file.text(with: [mutant]).text.contains("var isOpen = (Mutation.chosen == 3 ? (true) : false)"))
  }

  @Test func `two properties that an initializer takes over from its parameters do not change places`() {
    let source = """
      struct Box {
        let disk: any Disk
        let lamp: Lamp

        init(disk: any Disk, size: Int) {
          self.disk = disk
          lamp = size
          lamp.shine(on: disk)
        }
      }
      """
    let mutants = MutatedFile(source, at: "Sources/Box.swift").mutants
    #expect(
      mutants.filter { $0.mutation == .swapStatements }.map(\.text) == [
        "lamp = size ⏎ lamp.shine(on: disk) → lamp.shine(on: disk) ⏎ lamp = size"
      ])
  }
}
