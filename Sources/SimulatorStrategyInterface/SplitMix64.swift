public import SimulatorCore

extension Strategies {
  /// A small, fast generator with 64 bits of state (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
  /// Generators, OOPSLA 2014). Not for secrets.
  public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator that starts from `state`.
    public init(state: UInt64) {
      self.state = state
    }

    /// Creates the generator of stream `stream` of `seed`. Different streams are practically independent of each other.
    public init(seed: UInt64, stream: UInt64) {
      var mixer = Strategies.SplitMix64(state: seed)
      let first = mixer.next()
      mixer = Strategies.SplitMix64(state: first ^ (stream &* 0xD1B5_4A32_D192_ED03))
      state = mixer.next()
    }

    public mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }

    /// Returns a number in `0..<bound`, by multiplication; the bias is below `bound` / 2⁶⁴.
    public mutating func below(_ bound: Int) -> Int {
      Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }
  }
}
