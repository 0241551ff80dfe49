/// The kinds of events, as numbers.
private enum Tag: UInt8, Packed {
  case step, began, effect, cancellation, ended, actionBegan, actionEnded, cancelled, taskCancelled
  case appeared, dismissed, changed, spent, anytime, resumedTwice, died, relaunched, offline
  case cancelledNothing, crashed, hung, note

  func pack(into bytes: inout ByteWriter) { bytes.put(rawValue) }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    guard let tag = Tag(rawValue: try bytes.next()) else { throw BrokenBytes() }
    self = tag
  }
}

extension Trace.Event.Kind: Packed {
  func pack(into bytes: inout ByteWriter) {
    switch self {
    case .step: bytes.put(Tag.step)
    case .began(let call): bytes.put(Tag.began, call)
    case .effect(let call, let what): bytes.put(Tag.effect, call, what)
    case .cancellation(let call, let honored): bytes.put(Tag.cancellation, call, honored)
    case .ended(let call, let outcome): bytes.put(Tag.ended, call, outcome)
    case .actionBegan(let action): bytes.put(Tag.actionBegan, action)
    case .actionEnded(let action, let outcome): bytes.put(Tag.actionEnded, action, outcome)
    case .cancelled(let action): bytes.put(Tag.cancelled, action)
    case .taskCancelled(let task): bytes.put(Tag.taskCancelled, task)
    case .appeared(let owner): bytes.put(Tag.appeared, owner)
    case .dismissed(let owner): bytes.put(Tag.dismissed, owner)
    case .changed(let name, let from, let to): bytes.put(Tag.changed, name, from, to)
    case .spent(let duration):
      bytes.put(Tag.spent, duration.components.seconds, duration.components.attoseconds)
    case .anytime(let name): bytes.put(Tag.anytime, name)
    case .resumedTwice(let task): bytes.put(Tag.resumedTwice, task)
    case .died(let process): bytes.put(Tag.died, process)
    case .relaunched: bytes.put(Tag.relaunched)
    case .offline(let start, let end): bytes.put(Tag.offline, start.nanoseconds, end.nanoseconds)
    case .cancelledNothing(let label): bytes.put(Tag.cancelledNothing, label)
    case .crashed: bytes.put(Tag.crashed)
    case .hung: bytes.put(Tag.hung)
    case .note(let text): bytes.put(Tag.note, text)
    }
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self =
      switch try bytes.next() as Tag {
      case .step: .step
      case .began: .began(try bytes.next())
      case .effect: .effect(try bytes.next(), try bytes.next())
      case .cancellation: .cancellation(try bytes.next(), honored: try bytes.next())
      case .ended: .ended(try bytes.next(), try bytes.next())
      case .actionBegan: .actionBegan(try bytes.next())
      case .actionEnded: .actionEnded(try bytes.next(), try bytes.next())
      case .cancelled: .cancelled(try bytes.next())
      case .taskCancelled: .taskCancelled(try bytes.next())
      case .appeared: .appeared(owner: try bytes.next())
      case .dismissed: .dismissed(owner: try bytes.next())
      case .changed: .changed(name: try bytes.next(), from: try bytes.next(), to: try bytes.next())
      case .spent:
        .spent(
          Duration(secondsComponent: try bytes.next(), attosecondsComponent: try bytes.next()))
      case .anytime: .anytime(try bytes.next())
      case .resumedTwice: .resumedTwice(task: try bytes.next())
      case .died: .died(process: try bytes.next())
      case .relaunched: .relaunched
      case .offline:
        .offline(
          from: VirtualInstant(nanoseconds: try bytes.next()),
          to: VirtualInstant(nanoseconds: try bytes.next()))
      case .cancelledNothing: .cancelledNothing(label: try bytes.next())
      case .crashed: .crashed
      case .hung: .hung
      case .note: .note(try bytes.next())
      }
  }
}

extension Trace.Call: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(id, fake, operation, detail, requesterWasCancelled)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self.init(
      id: try bytes.next(), fake: try bytes.next(), operation: try bytes.next(), detail: try bytes.next(),
      requesterWasCancelled: try bytes.next())
  }
}

extension Trace.Action: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(label, name, arguments)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self.init(label: try bytes.next(), name: try bytes.next(), arguments: try bytes.next())
  }
}

extension Trace.Outcome: Packed {
  func pack(into bytes: inout ByteWriter) {
    switch self {
    case .returned(let value): bytes.put(0, value)
    case .threw(let error): bytes.put(1, error)
    case .cancelled: bytes.put(2)
    }
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    switch try bytes.next() as Int {
    case 0: self = .returned(try bytes.next())
    case 1: self = .threw(try bytes.next())
    case 2: self = .cancelled
    default: throw BrokenBytes()
    }
  }
}

extension Trace.Value: Packed {
  func pack(into bytes: inout ByteWriter) {
    switch self {
    case .none: bytes.put(0)
    case .bool(let value): bytes.put(1, value)
    case .int(let value): bytes.put(2, value)
    case .text(let value): bytes.put(3, value)
    case .list(let values): bytes.put(4, values)
    case .record(let fields): bytes.put(5, fields)
    }
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    switch try bytes.next() as Int {
    case 0: self = .none
    case 1: self = .bool(try bytes.next())
    case 2: self = .int(try bytes.next())
    case 3: self = .text(try bytes.next())
    case 4: self = .list(try bytes.next())
    case 5: self = .record(try bytes.next())
    default: throw BrokenBytes()
    }
  }
}

extension Trace.Value.Field: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(name, value)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self.init(try bytes.next(), try bytes.next())
  }
}
