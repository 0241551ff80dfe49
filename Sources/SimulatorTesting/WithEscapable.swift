internal import CConcurrencyHooks

/// Calls `use` with `body` in a form that may be stored until `use` returns.
///
/// The testing library lends a test's body only for the duration of a call, and the compiler checks that nothing holds
/// on to it afterward. Tasks that never end do: an execution that deadlocks is abandoned, with the frames of its tasks
/// and what they refer to. They are never resumed, so their references are released here.
func withEscapable<Result>(
  _ body: @Sendable @concurrent () async throws -> Void,
  _ use: (@escaping @Sendable @concurrent () async throws -> Void) -> Result
) -> Result {
  withoutActuallyEscaping(body) { escapable in
    // Safe because a closure is a function and a context, and the context outlives this scope's reference to it. It is
    // in a structure, because as a generic argument it would be wrapped in another closure.
    let context = unsafe unsafeBitCast(Stored(closure: escapable), to: Closure.self).context
    let references = unsafe swift_retainCount(context)
    let result = use(escapable)
    while unsafe swift_retainCount(context) > references { unsafe swift_release(context) }
    return result
  }
}

private struct Stored {
  let closure: @Sendable @concurrent () async throws -> Void
}

@unsafe private struct Closure {
  let function: UnsafeRawPointer?
  let context: UnsafeMutableRawPointer?
}
