public import Foundation
public import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension FakeReply {
  /// Returns an answer whose body is `content` in JSON, with its keys sorted.
  ///
  /// - Precondition: `content` can be encoded.
  public static func json(
    _ content: some Encodable, status: Int = 200, headers: [String: String] = [:], named name: String? = nil
  ) -> FakeReply {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      let body = String(decoding: try encoder.encode(content), as: UTF8.self)
      return .status(
        status, body, headers: headers.merging(["Content-Type": "application/json"]) { own, _ in own },
        named: name)
    } catch {
      preconditionFailure("a reply cannot be encoded: \(error)")
    }
  }

  /// Returns a reply without an answer: `URLError` with this code is thrown.
  public static func failure(_ code: URLError.Code) -> FakeReply {
    .failure(URLError(code), named: "error \(code.rawValue)")
  }
}
