private struct Note {
  let id: Int
}

private protocol Disk: Sendable {
  func write(_ note: Note) async throws
}

private actor Notes {
  private let disk: any Disk
  private var cache: [Int: Note] = [:]
  init(disk: any Disk) { self.disk = disk }

  func save(_ note: Note) async {
    // example
  }
}
