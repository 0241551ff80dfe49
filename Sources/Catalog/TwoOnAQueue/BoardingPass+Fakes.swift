import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// What the airline answers.
  var passPart: String { url?.path == "/seat" ? "12A" : "Ada to Bern" }
}
