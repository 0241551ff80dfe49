import Foundation

private protocol Decoder: Sendable {
  @MainActor func decode(_ data: Data) async throws -> [String]
}

@MainActor private final class Model {
  private let decoder: any Decoder
  private var feed: [String] = []
  init(decoder: any Decoder) { self.decoder = decoder }

  // example
}
