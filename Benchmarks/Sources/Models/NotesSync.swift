import Simulator
import TwinPrograms

extension TwinProgram {
  /// Notes are edited at once on the device, and sent to a server by and by.
  static let notesSync = TwinProgram(
    "notes sync", "a main-actor model, an actor, a server, a journal",
    bug: "An edit is merged into a change of which an attempt may have arrived: the server ignores it.",
    deviations: 4
  ) { simulation, twin in
    let server = FakeNotesServer()
    let journal = FakeStore([
      "write": [
        FakeBehavior(delay: .oneOf(.milliseconds(5), .milliseconds(40)), faults: [.noFault, .beforeCommit])
      ]
    ])
    let engine = SyncEngine(server, journal, twin)
    let model = await NotesModel(engine)
    await engine.deliver { await model.merge($0) }
    let user = Task { @MainActor in
      try await use(model, simulation)
    }
    try await user.value
    // The app comes to the front again, and has another try.
    for _ in 0..<2 {
      try await Task.sleep(for: .seconds(4))
      await engine.resume()
    }
    try await Task.sleep(for: .seconds(10))
    await checkNotes(typed: model.typed, server, engine, simulation)
  }
}

@MainActor private func use(_ model: NotesModel, _ simulation: Simulation) async throws {
  func pause(_ milliseconds: Int...) async throws {
    try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: milliseconds)))
  }
  await model.edit("shopping", "milk")
  try await pause(300, 120)
  await model.edit("todo", "call Ada")
  try await pause(700, 400, 1100, 1800)
  await model.edit("shopping", "milk, bread")
  try await pause(300, 90)
  await model.edit("ideas", "a boat")
}

private func checkNotes(
  typed: [String: String], _ server: FakeNotesServer, _ engine: SyncEngine, _ simulation: Simulation
) async {
  let (sent, pending) = (await server.texts, await engine.pending)
  for (note, text) in typed.sorted(by: { $0.key < $1.key }) {
    if sent[note] == text || pending[note] == text { continue }
    simulation.fail("no edit is lost", "\(note): the server has “\(sent[note] ?? "")”, typed was “\(text)”")
  }
}

// MARK: - The app

private struct Note: Sendable {
  let id: String
  var text: String
}

/// A change that the server has not confirmed.
private struct Change: Sendable {
  /// The server takes a change with a key that it knows for the same again.
  let key: Int
  let note: String
  var text: String
  var attempts = 0
  /// All its attempts have failed: the user is told, and the app tries again when it comes to the front.
  var isGivenUp = false
}

private protocol NotesService: Sendable {
  func push(_ change: Change) async throws
  func pull() async throws -> [Note]
}

private actor SyncEngine {
  private let service: any NotesService
  private let journal: any FakeStore.KeyValueStore
  private let twin: TwinProgram.Twin
  private var outbox: [Change] = []
  private var nextKey = 1
  /// The key of the change that is on its way.
  private var sending: Int?
  private var worker: Task<Void, Never>?
  private var receive: (@Sendable ([Note]) async -> Void)?

  private static let pauses = [50, 100, 150].map(Duration.milliseconds)

  init(
    _ service: any NotesService, _ journal: any FakeStore.KeyValueStore, _ twin: TwinProgram.Twin
  ) {
    self.service = service
    self.journal = journal
    self.twin = twin
  }

  /// What was not confirmed, by its note; the latest where there are several.
  var pending: [String: String] {
    Dictionary(outbox.map { ($0.note, $0.text) }) { $1 }
  }

  func deliver(to receive: @escaping @Sendable ([Note]) async -> Void) { self.receive = receive }

  func record(_ text: String, of note: String) async {
    if let index = outbox.lastIndex(where: { $0.note == note }), canMerge(into: outbox[index]) {
      outbox[index].text = text
    } else {
      outbox.append(Change(key: nextKey, note: note, text: text))
      nextKey += 1
    }
    schedule()
    await save()
  }

  /// Tries again what was given up.
  func resume() {
    for index in outbox.indices { outbox[index].isGivenUp = false }
    if !outbox.isEmpty { schedule() }
  }

  private func canMerge(into change: Change) -> Bool {
    if change.key == sending || change.isGivenUp { return false }
    return twin == .seeded || change.attempts == 0
  }

  private func schedule() {
    guard worker == nil else { return }
    worker = Task {
      // Several edits in a row are sent together.
      try? await Task.sleep(for: .milliseconds(200))
      let isDone = await drain()
      worker = nil
      if isDone, !outbox.isEmpty { schedule() }
    }
  }

  /// Whether everything was sent.
  private func drain() async -> Bool {
    while let change = outbox.first {
      guard await send(change.key) else { return false }
      await save()
    }
    await pull()
    return true
  }

  /// Whether the server has confirmed the change.
  private func send(_ key: Int) async -> Bool {
    for attempt in 0... {
      guard let index = outbox.firstIndex(where: { $0.key == key }) else { return true }
      outbox[index].attempts += 1
      sending = key
      defer { sending = nil }
      do {
        try await service.push(outbox[index])
        outbox.removeAll { $0.key == key }
        return true
      } catch {
        sending = nil
        guard attempt < Self.pauses.count else {
          giveUp(key)
          return false
        }
        try? await Task.sleep(for: Self.pauses[attempt])
      }
    }
    return false
  }

  private func giveUp(_ key: Int) {
    if let index = outbox.firstIndex(where: { $0.key == key }) { outbox[index].isGivenUp = true }
  }

  private func pull() async {
    guard let notes = try? await service.pull() else { return }
    let pending = pending
    await receive?(notes.filter { pending[$0.id] == nil })
  }

  /// A journal that cannot be written is no reason to lose what is in memory.
  private func save() async {
    try? await journal.write(pending, for: "outbox")
  }
}

@MainActor private final class NotesModel {
  private(set) var notes: [String: Note] = [:]
  /// What the user has typed last.
  private(set) var typed: [String: String] = [:]
  private let engine: SyncEngine

  init(_ engine: SyncEngine) { self.engine = engine }

  func edit(_ id: String, _ text: String) async {
    notes[id] = Note(id: id, text: text)
    typed[id] = text
    await engine.record(text, of: id)
  }

  func merge(_ pulled: [Note]) {
    for note in pulled { notes[note.id] = note }
  }
}

// MARK: - The server

/// Keeps notes, and knows the keys of the changes that it has taken.
private actor FakeNotesServer: CallRecording, NotesService {
  nonisolated let name = "server"
  private let recorder = CallRecorder(
    "server",
    [
      "push": [
        FakeBehavior(
          delay: .oneOf(
            .milliseconds(80), .milliseconds(140), .milliseconds(260), .milliseconds(520)),
          faults: [.noFault, .beforeCommit, .afterCommit])
      ],
      "pull": [
        FakeBehavior(delay: .oneOf(.milliseconds(60), .milliseconds(400)), replies: [.ok(), .offline])
      ],
    ])
  private(set) var texts: [String: String] = [:]
  private var keys: Set<Int> = []

  nonisolated var calls: [CallRecord] { recorder.calls }

  nonisolated(nonsending) func push(_ change: Change) async throws {
    try await recorder.call("push", .text(change.note)) { call in try await take(change, call) }
  }

  nonisolated(nonsending) func pull() async throws -> [Note] {
    try await recorder.call("pull") { call in try await list(call) }
  }

  private func take(_ change: Change, _ call: PendingCall) async throws {
    try await call.end {
      try await call.arrive()
      if keys.insert(change.key).inserted { texts[change.note] = change.text }
      call.tookEffect("took \(change.note)")
      try call.failAfterEffect()
    }
  }

  private func list(_ call: PendingCall) async throws -> [Note] {
    try await call.end {
      try await call.arrive()
      if let error = call.reply.error { throw error }
      return texts.sorted { $0.key < $1.key }.map { Note(id: $0.key, text: $0.value) }
    }
  }
}
