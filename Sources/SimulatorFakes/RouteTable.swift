/// The routes of a network. Some of them ask for something in the query: `GET /inbox?page=2`.
///
/// A route takes the requests of its path whose query contains all of its own, in any order and beside anything else.
/// If several routes fit, the one that asks for most takes the request.
struct RouteTable: Sendable {
  /// A route that asks for something in the query.
  private struct Entry {
    let route: String
    let asked: Set<String>
  }

  /// The entries by the text before the question mark, without escapes.
  private var entries: [String: [Entry]] = [:]

  /// - Precondition: No two of `routes` take the same requests.
  init(_ routes: some Sequence<String>) {
    for route in routes.sorted() {
      let parts = Self.parts(of: route)
      let path = Self.unescaped(parts.path[...])
      let asked = Self.pairs(of: parts.query ?? "")
      if let same = entries[path]?.first(where: { $0.asked == asked }) {
        // This is a mistake in the test's code. It is not a `precondition`, because an optimized build drops its
        // message.
        fatalError("the routes \(same.route) and \(route) take the same requests: write one of them")
      }
      entries[path, default: []].append(Entry(route: route, asked: asked))
    }
  }

  /// Returns the route that takes a request for `path` with `query`; nil if there is none.
  func route(of path: String, query: String?) -> String? {
    guard let entries = entries[Self.unescaped(path[...])] else { return nil }
    let pairs = Self.pairs(of: query ?? "")
    let fitting = entries.filter { $0.asked.isSubset(of: pairs) }
    let most = fitting.map(\.asked.count).max()
    let best = fitting.filter { $0.asked.count == most }
    if best.count > 1 {
      let request = path + "?" + (query ?? "")
      let routes = best.map(\.route).joined(separator: " and ")
      // This is a mistake in the test's code too.
      fatalError(
        "the request \(request) fits the routes \(routes) alike: add a route that asks for all of it")
    }
    return best.first?.route
  }

  /// Returns the text before the first question mark, and the text after it.
  static func parts(of text: String) -> (path: String, query: String?) {
    guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }

  /// Returns `page=2&of=ada` as a set. Escapes count as the characters that they encode; `page=` equals `page`.
  private static func pairs(of query: String) -> Set<String> {
    Set(
      query.split(separator: "&").map { pair in
        // The halves are decoded separately, so that an escaped `=` does not split them.
        let halves = pair.split(separator: "=", maxSplits: 1).map(unescaped)
        return halves.joined(separator: "\u{0}")
      })
  }

  /// Returns `swift%20ui` as `swift ui`.
  private static func unescaped(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
