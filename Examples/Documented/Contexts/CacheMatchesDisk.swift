private protocol Disk: Sendable {
  func note(_ id: Int) async throws -> String
}

private actor Notes {
  private let disk: any Disk
  private var cache: [Int: String] = [:]
  init(disk: any Disk) { self.disk = disk }

  func note(_ id: Int) async throws -> String {
    // example
    return note
  }
}
