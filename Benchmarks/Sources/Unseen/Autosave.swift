import Simulator
import TwinPrograms

extension TwinProgram {
  /// A document saves itself a moment after the last edit, and at once when it is closed.
  static let autosave = TwinProgram(
    "autosave", "the main actor, timers, cancellation",
    bug:
      "Closing does not wait for an autosave that is being written: the older text is written last.",
    deviations: 2
  ) { simulation, twin in
    let disk = Disk(simulation)
    let document = await Document(disk, twin)
    let typing = Task { @MainActor in
      for (text, pause) in [("Dear", 120), ("Dear Ada", 240), ("Dear Ada,", 20), ("Dear Ada, hello", 15)] {
        document.edit(text)
        try await Task.sleep(for: .milliseconds(pause))
      }
      await document.close()
    }
    _ = await typing.result
    await document.settle()
    let saved = await disk.text
    if saved != "Dear Ada, hello" { simulation.fail("the last text is saved", "saved is “\(saved)”") }
  }
}

private actor Disk {
  private(set) var text = ""
  private let simulation: Simulation

  init(_ simulation: Simulation) { self.simulation = simulation }

  func write(_ text: String) async {
    await pause([10, 30, 60])
    self.text = text
  }

  func encode(_ text: String) async -> String {
    await pause([20, 35, 50])
    return text
  }

  private func pause(_ milliseconds: [Int]) async {
    try? await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: milliseconds)))
  }
}

@MainActor private final class Document {
  private var text = ""
  private var autosave: Task<Void, Never>?
  private var saves: [Task<Void, Never>] = []
  private let disk: Disk
  private let twin: TwinProgram.Twin

  init(_ disk: Disk, _ twin: TwinProgram.Twin) {
    self.disk = disk
    self.twin = twin
  }

  func edit(_ text: String) {
    self.text = text
    autosave?.cancel()
    autosave = Task {
      do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
      save()
    }
  }

  func close() async {
    autosave?.cancel()
    await save().value
  }

  func settle() async {
    for save in saves { await save.value }
  }

  @discardableResult private func save() -> Task<Void, Never> {
    let (text, before) = (text, saves.last)
    let task = Task {
      if twin == .mended { await before?.value }
      let data = await disk.encode(text)
      await disk.write(data)
    }
    saves.append(task)
    return task
  }
}
