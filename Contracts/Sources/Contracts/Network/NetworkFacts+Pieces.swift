import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension NetworkFacts {
  private static let slow = Site.Answer(pieces: ["one ", "two ", "six."], pause: .milliseconds(300))
  private static let broken = Site.Answer(
    pieces: ["one ", "two "], pause: .milliseconds(300), breaksOff: true)

  /// What becomes of a body that the server sends piece by piece.
  static let pieces: [Entry] = [
    entry("A body that comes in pieces arrives whole", ["200 “one two six.”"], at: ["GET /pieces": slow]) {
      try await $0.ask("GET", "/pieces")
    },
    entry(
      "A delegate is told of the response, and then of each piece", ["200, one , two , six., over"],
      at: ["GET /pieces": slow]
    ) { client in try await client.observed(try client.request("GET", "/pieces")).told },
    entry(
      "A delegate of `data(for:delegate:)` is told the same, maybe of the last piece too late, and who asked gets the whole",
      ["200, one , two ; then one two six.", "200, one , two , six.; then one two six."],
      at: ["GET /pieces": slow]
    ) { client in
      let observer = Observer()
      let (data, _) = try await client.session.data(
        for: try client.request("GET", "/pieces"), delegate: observer)
      return "\(observer.told); then \(String(decoding: data, as: UTF8.self))"
    },
    entry(
      "A delegate is told of each piece of a download, and the file is whole",
      ["4 of 12, 8 of 12, 12 of 12, file one two six., over"], at: ["GET /pieces": slow]
    ) { client in try await client.observed(try client.request("GET", "/pieces"), downloads: true).told },
    entry(
      "A task that is no download does not count what it receives", ["0 bytes received, 0 units completed"],
      at: ["GET /pieces": slow]
    ) { client in
      let task = try await client.observedTask(try client.request("GET", "/pieces"))
      return
        "\(task.countOfBytesReceived) bytes received, \(task.progress.completedUnitCount) units completed"
    },
    entry(
      "The response of a request for which nobody is told of pieces is not there before the body is",
      ["no response at half time"], at: ["GET /pieces": slow]
    ) { client in
      let task = client.session.dataTask(with: try client.request("GET", "/pieces")) { _, _, _ in }
      task.resume()
      try await Task.sleep(for: .milliseconds(750))
      let answer = task.response == nil ? "no response at half time" : "a response at half time"
      task.cancel()
      return answer
    },
    entry(
      "A request whose pieces each come in its time is not timed out", ["200 “one two six.”"],
      at: ["GET /pieces": .init(pieces: ["one ", "two ", "six."], pause: .milliseconds(700))]
    ) { client in
      var request = try client.request("GET", "/pieces")
      request.timeoutInterval = 1
      return try await client.ask(request)
    },
    entry(
      "A delegate is told of the pieces before the connection is closed amid the body",
      ["200, one , two , URLError.unknown"], fake: ["200, one , two , URLError.networkConnectionLost"],
      because:
        "Foundation on Linux says `unknown` for it; the fake throws the code that is documented for it",
      at: ["GET /half": broken]
    ) { client in try await client.observed(try client.request("GET", "/half")).told },
    entry(
      "A delegate that cancels amid the body is told of no further piece",
      ["200, one , URLError.cancelled"], at: ["GET /pieces": slow]
    ) { client in
      let observer = Observer(cancelsAfter: 1)
      return try await client.observed(try client.request("GET", "/pieces"), by: observer).told
    },
  ]
}
