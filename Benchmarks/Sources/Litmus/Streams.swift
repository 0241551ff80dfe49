extension LitmusTheme {
  static let streams = LitmusTheme(
    "AsyncStream",
    [
      Litmus(
        "stream-keeps-order",
        "A task yields 1, 2, 3 and finishes; another collects.",
        outcomes: ["123"],
        why: "The buffer is unbounded and first in, first out."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        return await collected(stream, while: [{ source.yieldAll(1, 2, 3) }])
      },
      Litmus(
        "stream-keeps-the-newest",
        "The same, with a buffer of the newest one.",
        outcomes: ["3", "13", "23", "123"],
        overlapOnly: ["23", "123"],
        preemptionOnly: ["23"],
        why: """
          A waiting consumer is handed the 1, and 3 takes the place of 2 in the buffer; one that comes later finds \
          the 3. In the middle of the producer's step it may take what is in the buffer just then.
          """
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        return await collected(stream, while: [{ source.yieldAll(1, 2, 3) }])
      },
      Litmus(
        "stream-keeps-the-oldest",
        "The same, with a buffer of the oldest one.",
        outcomes: ["1", "12", "13", "123"],
        overlapOnly: ["13", "123"],
        preemptionOnly: ["13"],
        why: """
          A waiting consumer is handed the 1, and the 2 is kept; one that comes later finds the 1. In the middle of \
          the producer's step it may make room for what would have been dropped.
          """
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(1))
        return await collected(stream, while: [{ source.yieldAll(1, 2, 3) }])
      },
      Litmus(
        "stream-of-two-producers",
        "Two tasks each yield two elements in one step.",
        outcomes: ["1234", "1324", "1342", "3124", "3142", "3412"],
        overlapOnly: ["1324", "1342", "3124", "3142"],
        why: "Each keeps its own order; between the two yields of one step the other may come only for real."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        let producers: [@Sendable () -> Void] = [
          {
            source.yield(1)
            source.yield(2)
          },
          {
            source.yield(3)
            source.yield(4)
          },
        ]
        let consumer = Task { await text(of: stream) }
        let tasks = producers.map { producer in Task { producer() } }
        for task in tasks { await task.value }
        source.finish()
        return await consumer.value
      },
      Litmus(
        "stream-finished-by-another",
        "One task yields, another finishes.",
        outcomes: ["", "1"],
        why: "What is yielded after the end is dropped."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        return await collected(stream, while: [{ source.yield(1) }, { source.finish() }])
      },
      Litmus(
        "stream-yield-then-statement",
        "A task yields, then notes it; the consumer notes the arrival; no actor owns the notes.",
        outcomes: ["producer consumer", "consumer producer"],
        overlapOnly: ["consumer producer"],
        why: "The consumer may run at once on another thread, before the producer's next statement."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        let board = Board()
        let consumer = Task { for await _ in stream { board.note("consumer ") } }
        let producer = Task {
          source.yield(1)
          board.note("producer ")
          source.finish()
        }
        await producer.value
        await consumer.value
        return board.trimmed
      },
      Litmus(
        "stream-of-a-cancelled-consumer",
        "A consumer of a stream that never yields is cancelled.",
        outcomes: ["ended"],
        why: "Cancelling the consumer ends the stream, waiting or not yet waiting."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        let consumer = Task {
          for await _ in stream {}
          return "ended"
        }
        await Task.yield()
        consumer.cancel()
        let outcome = await consumer.value
        return withExtendedLifetime(source) { outcome }
      },
      Litmus(
        "stream-tells-of-its-end",
        "finish() calls the termination handler, then the next statement comes.",
        outcomes: ["handler after"],
        why: "The handler runs inside finish()."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        let board = Board()
        source.onTermination = { _ in board.note("handler ") }
        source.finish()
        board.note("after")
        return withExtendedLifetime(stream) { board.text }
      },
      Litmus(
        "stream-read-by-the-main-actor",
        "A pool task yields 1, 2, 3; the main actor collects them.",
        outcomes: ["123"],
        why: "The order of a stream does not depend on who reads it."
      ) {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        let consumer = Task { @MainActor in await text(of: stream) }
        await Task { source.yieldAll(1, 2, 3) }.value
        return await consumer.value
      },
    ])
}

extension AsyncStream.Continuation {
  fileprivate func yieldAll(_ elements: Element...) where Element: Sendable {
    for element in elements { yield(element) }
    finish()
  }
}

private func collected(
  _ stream: AsyncStream<Int>, while producers: [@Sendable () -> Void]
) async -> String {
  let consumer = Task { await text(of: stream) }
  let tasks = producers.map { producer in Task { producer() } }
  for task in tasks { await task.value }
  return await consumer.value
}

private func text(of stream: AsyncStream<Int>) async -> String {
  var text = ""
  for await element in stream { text += "\(element)" }
  return text
}
