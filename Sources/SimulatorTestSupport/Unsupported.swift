internal import Foundation
internal import Simulator

/// Why a test cannot be simulated here, and what becomes of it.
package struct Unsupported: Error, CustomStringConvertible {
  private static let variable = "SIMULATOR_REQUIRED"

  package let description: String
  /// Whether the test fails for it. Otherwise it is skipped: nothing is claimed of it.
  package let isFailure: Bool

  /// Nil where tests can be simulated.
  package static var here: Unsupported? {
    (RuntimeControl.pretendedFault ?? RuntimeControl.fault).map { Unsupported($0) }
  }

  private init(_ fault: RuntimeControl.Failure) {
    isFailure = ProcessInfo.processInfo.environment[Self.variable] == "1"
    let cure = isFailure ? " (\(Self.variable) is 1)" : "; with \(Self.variable)=1 it is a failure"
    description = "not simulated: \(fault)\(cure)"
  }
}
