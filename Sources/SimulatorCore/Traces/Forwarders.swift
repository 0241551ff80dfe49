@_spi(Internal) internal import Runtime

/// A *partial apply forwarder*: code that the compiler puts between a closure and callers that do not know what the
/// closure has captured. A queue gets the forwarder; the code that a person wrote is the closure that it calls.
@safe struct Forwarder {
  /// The address at which it begins.
  let address: UInt
  /// The mangled name of the closure: that of the forwarder without the suffix `TA`.
  let closure: String
  /// The image that it is part of; it calls nothing outside it.
  private let image: Range<UInt>

  /// The number of bytes of its code that are examined. A forwarder loads what was captured, calls, and returns.
  private static let longest: UInt = 512

  /// Returns nil if `name` is not a forwarder's, or if no image holds the address.
  init?(_ address: UInt, name: String, in images: @autoclosure () -> ImageMap) {
    guard name.hasSuffix("TA"), let image = images().range(around: address) else { return nil }
    self.address = address
    self.closure = String(name.dropLast(2))
    self.image = image
  }

  /// The addresses that its code may call or jump to. Each is a guess that must be checked against `closure`: on x86-64
  /// an instruction may begin at any byte. O(1).
  var targets: [UInt] {
    let end = min(image.upperBound - 8, address + Self.longest)
    guard address < end else { return [] }
    #if arch(x86_64)
      return (address..<end).compactMap { place in
        // Safe because the place is within the code of an image that stays loaded.
        guard let code = unsafe UnsafePointer<UInt8>(bitPattern: place), unsafe code.pointee & 0xfe == 0xe8
        else {
          return nil
        }
        let offset = unsafe UnsafeRawPointer(code + 1).loadUnaligned(as: Int32.self)
        return target(UInt(bitPattern: Int(place) + 5 + Int(offset)))
      }
    #else
      return stride(from: address & ~3, to: end, by: 4).compactMap { place in
        // Safe because the place is within the code of an image that stays loaded.
        guard let code = unsafe UnsafePointer<UInt32>(bitPattern: place) else { return nil }
        let word = unsafe code.pointee
        guard word & 0x7c00_0000 == 0x1400_0000 else { return nil }
        let offset = Int(Int32(bitPattern: word << 6) >> 4)
        return target(UInt(bitPattern: Int(place) + offset))
      }
    #endif
  }

  private func target(_ place: UInt) -> UInt? { image.contains(place) && place != address ? place : nil }
}

extension ImageMap {
  /// Returns the addresses of the code of the image that holds `address`.
  fileprivate func range(around address: UInt) -> Range<UInt>? {
    for image in self {
      guard let start = UInt(image.baseAddress.description.dropFirst(2), radix: 16),
        let end = UInt(image.endOfText.description.dropFirst(2), radix: 16)
      else { continue }
      if start <= address, address < end { return start..<end }
    }
    return nil
  }
}
