internal import CConcurrencyHooks
internal import Glibc

/// The symbol of the function that holds an address.
struct CodeSymbol {
  /// The mangled name.
  let name: String
  /// The library that the function is part of; "" for the executable.
  let library: String
  /// The number of bytes from the beginning of the function to the address.
  let offset: UInt

  /// Nil if no symbol holds the address.
  init?(at address: UInt) {
    var found = unsafe ch_code_symbol()
    guard unsafe ch_find_function(address, &found), let name = unsafe found.name,
      let library = unsafe found.library
    else { return nil }
    self.name = unsafe String(cString: name)
    self.library = unsafe String(cString: library)
    offset = unsafe found.offset
  }

  /// The name as a backtrace shows it.
  var readableName: String {
    guard let text = unsafe ch_readable_name(name) else { return name }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  /// True if the compiler has written the function, to call another one.
  var isThunk: Bool { unsafe ch_is_thunk(name) }

  /// True if the compiler has written the function, to begin the program.
  var isEntryPoint: Bool {
    name.hasSuffix("5$mainyyFZ") || name.hasSuffix("5$mainyyYaFZTQ0_") || name == "async_MainTQ0_"
  }
}
