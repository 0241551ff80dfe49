#if canImport(FoundationNetworking)
  // Other platforms do not need this, and a toolchain may not export this part of the library.
  @_spi(Reflection) private import Swift

  /// A stored property of a class that is not visible outside the class's module.
  struct StoredField: Sendable {
    private let offset: Int
    private let type: any Any.Type

    /// Finds the property with `name` that `owner` or one of its superclasses declares; nil if there is none. It has
    /// the same offset in the subclasses of `owner`. Looks at each property once, which costs microseconds.
    init?(_ name: String, of owner: AnyClass) {
      var found: StoredField?
      // The option says that the type is a class.
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

    /// Returns its value in `object`, an instance of the class that declares it; nil if it is of another type.
    func value<Value>(in object: AnyObject, as wanted: Value.Type) -> Value? {
      func load<Stored>(_ stored: Stored.Type) -> Value? {
        // Safe: the runtime itself uses this offset and this type for an instance of this class.
        unsafe (Unmanaged.passUnretained(object).toOpaque() + offset).load(as: stored) as? Value
      }
      return _openExistential(type, do: load)
    }
  }
#endif
