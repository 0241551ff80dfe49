public import SimulatorCore

extension Invariant {
  /// The source of the values that are whole: those that a screen may show and a disk may hold.
  public enum Wholes: Hashable, Sendable {
    /// Every value that a call of this operation has returned.
    case answers(to: String)
    /// Every value that this observed value has had.
    case observed(String)
  }
}

/// The whole values of an execution so far. O(1) an event.
struct WholeValues {
  let sources: [Invariant.Wholes]
  private var values: Set<Trace.Value> = []

  init(_ sources: [Invariant.Wholes]) {
    self.sources = sources
  }

  func contains(_ value: Trace.Value) -> Bool { values.contains(value) }

  /// The way in which a list that is not whole came about, as far as its elements show.
  enum Composition { case part, mixture, unknown }

  /// Determines if `value` is a part of one whole or a combination of several. O(wholes × elements).
  func composition(of value: Trace.Value) -> Composition {
    guard let elements = value.elements, !elements.isEmpty else { return .unknown }
    if values.contains(where: { $0.elements.map { elements.isPart(of: $0) } ?? false }) { return .part }
    let known = Set(values.flatMap { $0.elements ?? [] })
    return elements.allSatisfy(known.contains) && Set(elements).count == elements.count ? .mixture : .unknown
  }

  /// Returns true if some whole has an element in `value` that is not in `first`, and another that `seen` never held.
  func isWrittenInPart(_ value: Trace.Value, first: Trace.Value?, seen: Set<Trace.Value>) -> Bool {
    guard let elements = value.elements else { return false }
    let new = Set(elements).subtracting(first?.elements ?? [])
    return values.contains { whole in
      guard let parts = whole.elements, parts.contains(where: new.contains) else { return false }
      return parts.contains { !seen.contains($0) }
    }
  }

  mutating func insert(_ value: Trace.Value) { values.insert(value) }

  mutating func saw(_ event: Trace.Event) {
    switch event.kind {
    case .ended(let call, .returned(let value)):
      if sources.contains(.answers(to: call.operation)) { values.insert(value) }
    case .changed(let name, let from, let to):
      guard sources.contains(.observed(name)) else { return }
      values.insert(from)
      values.insert(to)
    default: break
    }
  }
}

extension Trace.Value {
  /// The elements of a list; nil for anything else.
  var elements: [Trace.Value]? {
    guard case .list(let elements) = self else { return nil }
    return elements
  }
}

extension [Trace.Value] {
  /// Returns true if every element is one of `whole`'s, each at most once, and some of `whole`'s are missing.
  fileprivate func isPart(of whole: [Trace.Value]) -> Bool {
    var rest = whole
    for element in self {
      guard let index = rest.firstIndex(of: element) else { return false }
      rest.remove(at: index)
    }
    return !rest.isEmpty
  }
}
