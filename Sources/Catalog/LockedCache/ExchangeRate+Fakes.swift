import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// What the bank answers.
  var price: String { "0.94" }
}
