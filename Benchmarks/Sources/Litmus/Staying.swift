extension LitmusTheme {
  /// What leaves an actor and what does not: each program puts one `await` between the read and the write of an actor,
  /// and calls it from two tasks. A 1 means that the actor was left.
  static let staying = LitmusTheme(
    "Staying on an actor",
    [
      Litmus(
        "group-without-children",
        "A task group without children, whose body uses the actor.",
        outcomes: ["1", "2"],
        why: "The library's wait at the end of a group runs off the actor, even with nobody to wait for."
      ) {
        await twice { await $0.addThroughGroup() }
      },
      Litmus(
        "handler-body-of-the-actor",
        "An operation under a cancellation handler, which uses the actor.",
        outcomes: ["2"],
        why: "The body captures the actor, so it is the actor's: nothing is left."
      ) {
        await twice { await $0.addThroughOwnHandler() }
      },
      Litmus(
        "handler-body-of-nobody",
        "An operation under a cancellation handler, which does not use the actor it is written in.",
        outcomes: ["1", "2"],
        why: "A closure that does not capture the actor is not isolated to it: its body runs on the pool."
      ) {
        await twice { await $0.addThroughHandler() }
      },
      Litmus(
        "binding-body-of-the-actor",
        "An operation under a task-local binding, which uses the actor.",
        outcomes: ["2"],
        why: "The body captures the actor, so it is the actor's: nothing is left."
      ) {
        await twice { await $0.addThroughOwnBinding() }
      },
      Litmus(
        "binding-body-of-nobody",
        "An operation under a task-local binding, which does not use the actor it is written in.",
        outcomes: ["1", "2"],
        why: "A closure that does not capture the actor is not isolated to it: its body runs on the pool."
      ) {
        await twice { await $0.addThroughBinding() }
      },
      Litmus(
        "stream-with-a-buffer",
        "A stream read to its end that was filled and finished before.",
        outcomes: ["1", "2"],
        why: "The library's next() runs off the actor, even when an element is there."
      ) {
        await twice { await $0.addThroughStream() }
      },
      Litmus(
        "group-with-a-child",
        "A task group with one child.",
        outcomes: ["1", "2"],
        why: "The wait for the child leaves the actor, unless the child has ended before."
      ) {
        await twice { await $0.add { await withTaskGroup { group in group.addTask { pause() } } } }
      },
      Litmus(
        "async-let-child",
        "A child that does nothing, awaited at once.",
        outcomes: ["1", "2"],
        why: "The wait for the child leaves the actor, unless the child has ended before."
      ) {
        await twice { probe in
          await probe.add {
            async let child: Void = pause()
            await child
          }
        }
      },
      Litmus(
        "isolated-parameter",
        "A function with an isolated parameter that takes its caller's isolation.",
        outcomes: ["2"],
        why: "It runs where its caller stands."
      ) {
        await twice { await $0.add { await stayByParameter() } }
      },
      Litmus(
        "protocol-requirement",
        "A requirement of a protocol, called through an existential.",
        outcomes: ["2"],
        why: "Such a requirement is nonisolated(nonsending), so it runs where its caller stands."
      ) {
        await twice { probe in
          let guest: any Guest = QuietGuest()
          await probe.add { await guest.come() }
        }
      },
      Litmus(
        "finished-immediate-task",
        "An immediate task without a suspension, awaited.",
        outcomes: ["2"],
        why: "It has ended when it is awaited, and a value that is there is not waited for."
      ) {
        await twice { await $0.add { await Task.immediate { pause() }.value } }
      },
      Litmus(
        "sleep-for-no-time",
        "A sleep of no time at all.",
        outcomes: ["1", "2"],
        why: "The sleeper goes by way of the pool however short its sleep."
      ) {
        await twice { await $0.add { try? await Task.sleep(for: .zero) } }
      },
    ])
}

private func twice(_ body: @escaping @Sendable (Probe) async -> Void) async -> String {
  let probe = Probe()
  await together({ await body(probe) }, { await body(probe) })
  return "\(await probe.value)"
}

private actor Probe {
  var value = 0
  private var looks = 0

  func addThroughGroup() async {
    let seen = value
    await withTaskGroup(of: Void.self) { _ in look() }
    value = seen + 1
  }

  func addThroughOwnHandler() async {
    let seen = value
    await withTaskCancellationHandler {
      look()
    } onCancel: {
    }
    value = seen + 1
  }

  func addThroughHandler() async {
    let seen = value
    await withTaskCancellationHandler {
      pause()
    } onCancel: {
    }
    value = seen + 1
  }

  func addThroughOwnBinding() async {
    let seen = value
    await Mark.$mark.withValue(1) { await ownStay() }
    value = seen + 1
  }

  func addThroughBinding() async {
    let seen = value
    await Mark.$mark.withValue(1) { await stay() }
    value = seen + 1
  }

  func addThroughStream() async {
    let seen = value
    let (stream, source) = AsyncStream.makeStream(of: Int.self)
    source.yield(1)
    source.finish()
    for await _ in stream { look() }
    value = seen + 1
  }

  private func look() {
    looks += 1
    pause()
  }

  private func ownStay() async { look() }

  func add(_ between: () async -> Void) async {
    let seen = value
    await between()
    value = seen + 1
  }
}

private enum Mark {
  @TaskLocal static var mark = 0
}

private protocol Guest: Sendable {
  func come() async
}

private struct QuietGuest: Guest {
  func come() async { pause() }
}

private func stay() async { pause() }

private func stayByParameter(_ isolation: isolated (any Actor)? = #isolation) async { pause() }
