#if canImport(FoundationNetworking)
  // Elsewhere nothing asks for it, and a toolchain may keep this part of the library to itself.
  @_spi(Reflection) private import Swift

  /// A stored property of a class that its module keeps to itself.
  struct StoredField: Sendable {
    private let offset: Int
    private let type: any Any.Type

    /// The one with `name` that `owner` or a class above it declares; nil where there is none. Its place is the same in the
    /// classes below `owner`. Looks at each property once: costs microseconds.
    init?(_ name: String, of owner: AnyClass) {
      var found: StoredField?
      // The option says that it is a class.
      _ = unsafe _forEachField(of: owner, options: _EachFieldOptions(rawValue: 1)) { label, offset, type, _ in
        guard unsafe String(cString: label) == name else { return true }
        found = StoredField(offset: offset, type: type)
        return false
      }
      guard let found else { return nil }
      self = found
    }

    private init(offset: Int, type: any Any.Type) {
      self.offset = offset
      self.type = type
    }

    /// Its value in `object`, an instance of the class that declares it; nil where it is of another type.
    func value<Value>(in object: AnyObject, as wanted: Value.Type) -> Value? {
      func load<Stored>(_ stored: Stored.Type) -> Value? {
        // Safe: the offset is what the runtime itself uses for an instance of this class, and so is the type.
        unsafe (Unmanaged.passUnretained(object).toOpaque() + offset).load(as: stored) as? Value
      }
      return _openExistential(type, do: load)
    }
  }
#endif
