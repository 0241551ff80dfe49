/// A schedule that once violated something, kept in the file.
struct RecordedReplay: Codable, Equatable, Sendable {
  let variant: String
  let token: String
  let position: SourcePosition
}
