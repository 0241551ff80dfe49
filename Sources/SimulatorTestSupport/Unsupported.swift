internal import Foundation
internal import Simulator

/// The reason why a test cannot be simulated here, and what becomes of the test.
package struct Unsupported: Error, CustomStringConvertible {
  private static let variable = "SIMULATOR_REQUIRED"

  package let description: String
  /// True if the test fails because of it. Otherwise the test is skipped, and nothing is claimed about it.
  package let isFailure: Bool

  /// The reason that applies here; nil if tests can be simulated.
  package static var here: Unsupported? {
    (RuntimeControl.pretendedFault ?? RuntimeControl.fault).map { Unsupported($0) }
  }

  private init(_ fault: RuntimeControl.Failure) {
    isFailure = ProcessInfo.processInfo.environment[Self.variable] == "1"
    let cure = isFailure ? " (\(Self.variable) is 1)" : "; with \(Self.variable)=1 it is a failure"
    description = "not simulated: \(fault)\(cure)"
  }
}
