import Simulator
import TwinPrograms

extension TwinProgram {
  /// The cells of a gallery show images that come from a disk or a network, and are reused while the user scrolls.
  static let gallery = TwinProgram(
    "gallery", "a main-actor model, an actor, shared loads, cancellation",
    bug: "A load that nobody waits for is cancelled and stays on offer: a cell that joins it stays empty.",
    deviations: 5
  ) { simulation, twin in
    let loader = ImageLoader(disk: .images, network: .images, decoder: .images, twin)
    let gallery = await GalleryModel(cells: 3, loader)
    let user = Task { @MainActor in
      try await scroll(gallery, simulation)
    }
    try await user.value
    await gallery.settle()
    for (number, cell) in await gallery.cells.enumerated() {
      if cell.isEmpty {
        simulation.fail("no cell stays empty", "cell \(number) waits for \(cell.wanted ?? "")")
      }
    }
  }
}

@MainActor private func scroll(_ gallery: GalleryModel, _ simulation: Simulation) async throws {
  func pause(_ milliseconds: Int...) async throws {
    try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: milliseconds)))
  }
  for (number, name) in ["beach", "lake", "dunes"].enumerated() { gallery.show(name, in: number) }
  try await pause(600, 400, 240)
  gallery.show("forest", in: 0)
  try await pause(500, 150, 60)
  gallery.show("beach", in: 1)
  try await pause(400, 100)
  gallery.show("lake", in: 2)
  gallery.show("cliffs", in: 0)
}

// MARK: - The app

private struct Picture: Sendable {
  let name: String
}

private protocol ImageDisk: Sendable {
  func data(of name: String) async throws -> String?
  func keep(_ data: String, of name: String) async throws
}

private protocol ImageNetwork: Sendable {
  func download(_ name: String) async throws -> String
}

private protocol ImageDecoder: Sendable {
  nonisolated(nonsending) func picture(of name: String, from data: String) async throws -> Picture
}

/// What one cell shows.
private struct Cell: Sendable {
  var wanted: String?
  var picture: Picture?
  var hasFailed = false

  /// Whether neither an image nor a sign for its lack is shown.
  var isEmpty: Bool { wanted != nil && picture == nil && !hasFailed }
}

@MainActor private final class GalleryModel {
  private(set) var cells: [Cell]
  private var loads: [Int: Task<Void, Never>] = [:]
  private var all: [Task<Void, Never>] = []
  private let loader: ImageLoader

  init(cells count: Int, _ loader: ImageLoader) {
    cells = Array(repeating: Cell(), count: count)
    self.loader = loader
  }

  func show(_ name: String, in cell: Int) {
    loads[cell]?.cancel()
    cells[cell] = Cell(wanted: name)
    let load = Task {
      do {
        let picture = try await loader.picture(name)
        if !Task.isCancelled { cells[cell].picture = picture }
      } catch is CancellationError {
        // The cell shows something else by now.
      } catch {
        if !Task.isCancelled { cells[cell].hasFailed = true }
      }
    }
    loads[cell] = load
    all.append(load)
  }

  func settle() async {
    for load in all { await load.value }
  }
}

/// Loads each image once, however many cells ask for it at the same time.
private actor ImageLoader {
  private struct Flight {
    let id: Int
    let task: Task<Picture, any Error>
    var waiting: Int
  }

  private var memory: [String: Picture] = [:]
  private var recent: [String] = []
  private var flights: [String: Flight] = [:]
  private var nextID = 0
  private let disk: any ImageDisk
  private let network: any ImageNetwork
  private let decoder: any ImageDecoder
  private let twin: TwinProgram.Twin

  init(
    disk: FakeImageDisk, network: FakeImageNetwork, decoder: FakeImageDecoder, _ twin: TwinProgram.Twin
  ) {
    (self.disk, self.network, self.decoder) = (disk, network, decoder)
    self.twin = twin
  }

  func picture(_ name: String) async throws -> Picture {
    if let picture = memory[name] { return picture }
    let (id, task) = join(name)
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await self.leave(name, id) }
    }
  }

  private func join(_ name: String) -> (Int, Task<Picture, any Error>) {
    if var flight = flights[name] {
      flight.waiting += 1
      flights[name] = flight
      return (flight.id, flight.task)
    }
    nextID += 1
    let id = nextID
    let task = Task {
      do {
        let picture = try await load(name)
        end(name, id, picture)
        return picture
      } catch {
        end(name, id, nil)
        throw error
      }
    }
    flights[name] = Flight(id: id, task: task, waiting: 1)
    return (id, task)
  }

  /// A cell that waited for the image was cancelled.
  private func leave(_ name: String, _ id: Int) {
    guard var flight = flights[name], flight.id == id else { return }
    flight.waiting -= 1
    flights[name] = flight
    if flight.waiting == 0 {
      flight.task.cancel()
      if twin == .mended { flights[name] = nil }
    }
  }

  private func end(_ name: String, _ id: Int, _ picture: Picture?) {
    if flights[name]?.id == id { flights[name] = nil }
    guard let picture else { return }
    memory[name] = picture
    recent.append(name)
    if recent.count > 2 { memory[recent.removeFirst()] = nil }
  }

  @concurrent private nonisolated func load(_ name: String) async throws -> Picture {
    if let data = try? await disk.data(of: name) {
      try Task.checkCancellation()
      let picture = try await decoder.picture(of: name, from: data)
      try Task.checkCancellation()
      return picture
    }
    let data = try await download(name)
    let picture = try await decoder.picture(of: name, from: data)
    try Task.checkCancellation()
    try? await disk.keep(data, of: name)
    return picture
  }

  private nonisolated func download(_ name: String) async throws -> String {
    do {
      return try await network.download(name)
    } catch let failure as FakeNetwork.Failure {
      guard failure == .offline else { throw failure }
      try await Task.sleep(for: .milliseconds(100))
      return try await network.download(name)
    }
  }
}

// MARK: - The world around it

private struct FakeImageDisk: ImageDisk {
  let store: FakeStore

  static var images: FakeImageDisk {
    let names = ["beach", "lake", "dunes", "forest", "cliffs"]
    let contents = Dictionary(uniqueKeysWithValues: names.map { ($0, $0 as any Sendable) })
    let read = FakeBehavior(
      delay: .oneOf(.milliseconds(10), .milliseconds(45)), faults: [.noFault, .beforeCommit])
    let write = FakeBehavior(delay: .milliseconds(20), faults: [.noFault, .beforeCommit])
    return FakeImageDisk(
      store: FakeStore(["read": [read], "write": [write]], holding: contents, named: "disk"))
  }

  func data(of name: String) async throws -> String? { try await store.read(name, as: String.self) }
  func keep(_ data: String, of name: String) async throws { try await store.write(data, for: name) }
}

private struct FakeImageNetwork: ImageNetwork {
  let network: FakeNetwork

  static var images: FakeImageNetwork {
    FakeImageNetwork(
      network: FakeNetwork(
        delay: .oneOf(.milliseconds(120), .milliseconds(260), .milliseconds(480)),
        replies: [.ok(), .offline, .timedOut]))
  }

  func download(_ name: String) async throws -> String {
    try await network.exchange("GET /\(name)") { _ in name }
  }
}

private struct FakeImageDecoder: ImageDecoder {
  let decoder: FakeDecoder

  static var images: FakeImageDecoder {
    FakeImageDecoder(
      decoder: FakeDecoder(spend: .oneOf(.milliseconds(30), .milliseconds(80), .milliseconds(150))))
  }

  nonisolated(nonsending) func picture(of name: String, from data: String) async throws -> Picture {
    try await decoder.work("decode", .text(name)) { _ in Picture(name: data) }
  }
}
