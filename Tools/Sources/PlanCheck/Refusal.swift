/// Why a check cannot say anything: that is a failure, never a pass.
public struct Refusal: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
