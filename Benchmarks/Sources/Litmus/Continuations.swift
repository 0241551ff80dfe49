extension LitmusTheme {
  static let continuations = LitmusTheme(
    "Continuations",
    [
      Litmus(
        "gate",
        "One task waits at a gate, another opens it.",
        outcomes: ["through"],
        why: "Looking and waiting are one step of the gate, so the opening is never missed."
      ) {
        let gate = Gate()
        await together({ await gate.wait() }, { await gate.open() })
        return "through"
      },
      Litmus(
        "resume-in-the-body",
        "An actor resumes a continuation before it has suspended, between its read and its write.",
        outcomes: ["2"],
        why: "What is resumed already is not waited for: the actor is never left."
      ) {
        let desk = Desk()
        await together({ await desk.addResumingAtOnce() }, { await desk.addResumingAtOnce() })
        return "\(await desk.value)"
      },
      Litmus(
        "resume-from-elsewhere",
        "An actor waits for a continuation that a task resumes, between its read and its write.",
        outcomes: ["1", "2"],
        why: "The actor is free while it waits."
      ) {
        let desk = Desk()
        await together({ await desk.addResumedByTask() }, { await desk.addResumedByTask() })
        return "\(await desk.value)"
      },
      Litmus(
        "resume-then-statement",
        "A pool task resumes a waiter; waiter and next statement write to what no actor owns.",
        outcomes: ["resumer waiter", "waiter resumer"],
        overlapOnly: ["waiter resumer"],
        why: "The waiter may run at once on another thread, before the resumer's next statement."
      ) {
        let (desk, board) = (Desk(), Board())
        let waiter = Task {
          await desk.wait()
          board.note("waiter ")
        }
        let continuation = await desk.nextWaiter()
        continuation.resume()
        board.note("resumer ")
        await waiter.value
        return board.trimmed
      },
      Litmus(
        "resume-on-the-waiter's-actor",
        "An actor resumes a waiter of its own and goes on without suspending.",
        outcomes: ["resumer waiter"],
        why: "The waiter needs the actor, which the resumer holds."
      ) {
        await Desk().resumeItsOwn()
      },
      Litmus(
        "await-a-finished-task",
        "An actor awaits a task that has finished, between its read and its write.",
        outcomes: ["2"],
        why: "A value that is there is not waited for: the actor is never left."
      ) {
        let desk = Desk()
        let finished = Task {}
        await finished.value
        await together({ await desk.add(awaiting: finished) }, { await desk.add(awaiting: finished) })
        return "\(await desk.value)"
      },
    ])
}

private actor Desk {
  var value = 0
  private var text = ""
  private var waiting: CheckedContinuation<Void, Never>?
  private var asking: CheckedContinuation<CheckedContinuation<Void, Never>, Never>?

  func addResumingAtOnce() async {
    let seen = value
    await withCheckedContinuation { $0.resume() }
    value = seen + 1
  }

  func addResumedByTask() async {
    let seen = value
    await withCheckedContinuation { continuation in Task.detached { continuation.resume() } }
    value = seen + 1
  }

  func add(awaiting task: Task<Void, Never>) async {
    let seen = value
    await task.value
    value = seen + 1
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      if let asking { asking.resume(returning: continuation) } else { waiting = continuation }
      asking = nil
    }
  }

  func nextWaiter() async -> CheckedContinuation<Void, Never> {
    if let waiting { return waiting }
    return await withCheckedContinuation { asking = $0 }
  }

  func resumeItsOwn() async -> String {
    let waiter = Task {
      await wait()
      text += "waiter"
    }
    await nextWaiter().resume()
    text += "resumer "
    await waiter.value
    return text
  }
}
