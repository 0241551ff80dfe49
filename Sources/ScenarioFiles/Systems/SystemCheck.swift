public import Simulator

/// An invariant that scenarios of a system may ask for, with its line in the descriptor.
public struct SystemCheck: Sendable {
  /// The line.
  public private(set) var descriptor: SystemDescriptor.Invariant
  package let invariant: @Sendable (ParameterValue?) -> Invariant

  /// An invariant that is named alone.
  public init(_ invariant: Invariant) {
    descriptor = SystemDescriptor.Invariant(invariant.name, invariant.summary)
    self.invariant = { _ in invariant }
  }

  /// The same, as an invariant about the structure of the code.
  var ofStructure: SystemCheck {
    var check = self
    check.descriptor.isOfStructure = true
    return check
  }

  /// `settles-within`, which takes a bound: `{ "settles-within": "8s" }`.
  public static let settlesWithin = settlesWithin(usually: .minutes(5))

  /// `settles-within`, with the bound that generated stories must keep. Each call in such a story takes at most ten seconds:
  /// five there and five back.
  public static func settlesWithin(usually bound: Nanoseconds) -> SystemCheck {
    SystemCheck(.settles(within: .zero), .duration, usual: .duration(bound)) { value in
      guard case .duration(let bound)? = value else { return nil }
      return .settles(within: bound.duration)
    }
  }

  /// `responsive-within`, which takes a bound: `{ "responsive-within": "100ms" }`.
  public static func responsiveWithin(
    _ action: String, on screen: String, _ part: String? = nil
  ) -> SystemCheck {
    SystemCheck(
      .responsive(to: action, on: screen, part, within: .zero), .duration, usual: .duration(.minutes(1))
    ) { value in
      guard case .duration(let bound)? = value else { return nil }
      return .responsive(to: action, on: screen, part, within: bound.duration)
    }
  }

  /// An invariant with a parameter: `make` returns the invariant for a value of that kind. The descriptor gets its name and
  /// summary from `sample`. Generated stories are judged with `usual`, or not at all if it is nil.
  public init(
    _ sample: Invariant, _ parameter: ParameterKind, usual: ParameterValue? = nil,
    make: @escaping @Sendable (ParameterValue?) -> Invariant?
  ) {
    descriptor = SystemDescriptor.Invariant(
      sample.name, sample.summary, parameter: parameter, usual: usual)
    invariant = { value in
      guard let invariant = make(value) else {
        preconditionFailure(
          "\(sample.name) was checked to take \(parameter) and was given \(String(describing: value))")
      }
      return invariant
    }
  }
}
