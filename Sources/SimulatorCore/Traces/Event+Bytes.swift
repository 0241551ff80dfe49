extension Trace.Event.Kind: Packed {
  private enum Tag: UInt8 {
    case step, began, effect, cancellation, ended, actionBegan, actionEnded, cancelled, taskCancelled
    case appeared, dismissed, changed, spent, anytime, resumedTwice, died, relaunched, offline
    case cancelledNothing, crashed, hung, note
  }

  func pack(into bytes: inout ByteWriter) {
    func put(_ tag: Tag) { bytes.put(tag.rawValue) }
    switch self {
    case .step: put(.step)
    case .began(let call):
      put(.began)
      bytes.put(call)
    case .effect(let call, let what):
      put(.effect)
      bytes.put(call)
      bytes.put(what)
    case .cancellation(let call, let honored):
      put(.cancellation)
      bytes.put(call)
      bytes.put(honored)
    case .ended(let call, let outcome):
      put(.ended)
      bytes.put(call)
      bytes.put(outcome)
    case .actionBegan(let action):
      put(.actionBegan)
      bytes.put(action)
    case .actionEnded(let action, let outcome):
      put(.actionEnded)
      bytes.put(action)
      bytes.put(outcome)
    case .cancelled(let action):
      put(.cancelled)
      bytes.put(action)
    case .taskCancelled(let task):
      put(.taskCancelled)
      bytes.put(task)
    case .appeared(let owner):
      put(.appeared)
      bytes.put(owner)
    case .dismissed(let owner):
      put(.dismissed)
      bytes.put(owner)
    case .changed(let name, let from, let to):
      put(.changed)
      bytes.put(name)
      bytes.put(from)
      bytes.put(to)
    case .spent(let duration):
      put(.spent)
      bytes.put(duration.components.seconds)
      bytes.put(duration.components.attoseconds)
    case .anytime(let name):
      put(.anytime)
      bytes.put(name)
    case .resumedTwice(let task):
      put(.resumedTwice)
      bytes.put(task)
    case .died(let process):
      put(.died)
      bytes.put(process)
    case .relaunched: put(.relaunched)
    case .offline(let start, let end):
      put(.offline)
      bytes.put(start.nanoseconds)
      bytes.put(end.nanoseconds)
    case .cancelledNothing(let label):
      put(.cancelledNothing)
      bytes.put(label)
    case .crashed: put(.crashed)
    case .hung: put(.hung)
    case .note(let text):
      put(.note)
      bytes.put(text)
    }
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    guard let tag = Tag(rawValue: try bytes.next()) else { throw BrokenBytes() }
    self =
      switch tag {
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
    bytes.put(id)
    bytes.put(fake)
    bytes.put(operation)
    bytes.put(detail)
    bytes.put(requesterWasCancelled)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self.init(
      id: try bytes.next(), fake: try bytes.next(), operation: try bytes.next(), detail: try bytes.next(),
      requesterWasCancelled: try bytes.next())
  }
}

extension Trace.Action: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(label)
    bytes.put(name)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self.init(label: try bytes.next(), name: try bytes.next())
  }
}

extension Trace.Outcome: Packed {
  func pack(into bytes: inout ByteWriter) {
    switch self {
    case .returned(let value):
      bytes.put(0)
      bytes.put(value)
    case .threw(let error):
      bytes.put(1)
      bytes.put(error)
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
    case .bool(let value):
      bytes.put(1)
      bytes.put(value)
    case .int(let value):
      bytes.put(2)
      bytes.put(value)
    case .text(let value):
      bytes.put(3)
      bytes.put(value)
    case .list(let values):
      bytes.put(4)
      bytes.put(values)
    case .record(let fields):
      bytes.put(5)
      bytes.put(fields)
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
    bytes.put(name)
    bytes.put(value)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self.init(try bytes.next(), try bytes.next())
  }
}
