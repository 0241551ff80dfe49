import Simulator
import TwinPrograms

extension TwinProgram {
  /// A player tells a screen how far it is, and that an episode has ended; the screen marks it as watched.
  static let playerEvents = TwinProgram(
    "player events", "a stream, actors, the main actor",
    bug:
      "The stream keeps only the newest event: the end of an episode is dropped for what follows.",
    deviations: 3
  ) { simulation, twin in
    let (events, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: twin == .seeded ? .bufferingNewest(1) : .unbounded)
    let screen = Screen()
    let showing = Task { @MainActor in
      for await event in events { screen.show(event) }
    }
    let player = Player(continuation)
    for episode in 1...2 { await player.play(episode) }
    await player.stop()
    await showing.value
    let watched = await screen.watched
    if watched != [1, 2] { simulation.fail("every end is seen", "watched are \(watched)") }
  }
}

private enum Event: Sendable {
  case progress(Int, percent: Int)
  case ended(Int)
  case stopped
}

@MainActor private final class Screen {
  private(set) var percent = 0
  private(set) var watched: [Int] = []
  private(set) var isPlaying = true

  func show(_ event: Event) {
    switch event {
    case .progress(_, let percent): self.percent = percent
    case .ended(let episode): watched.append(episode)
    case .stopped: isPlaying = false
    }
  }
}

/// The files of the episodes.
private actor Library {
  private var open: Set<Int> = []

  func open(_ episode: Int) { open.insert(episode) }
  func read(_ episode: Int) -> Bool { open.contains(episode) }
  func close(_ episode: Int) { open.remove(episode) }
}

private actor Player {
  private let library = Library()
  private let events: AsyncStream<Event>.Continuation

  init(_ events: AsyncStream<Event>.Continuation) { self.events = events }

  func play(_ episode: Int) async {
    await library.open(episode)
    for percent in [0, 50] {
      guard await library.read(episode) else { return }
      events.yield(.progress(episode, percent: percent))
      await Task.yield()
    }
    events.yield(.ended(episode))
    await library.close(episode)
  }

  func stop() {
    events.yield(.stopped)
    events.finish()
  }
}
