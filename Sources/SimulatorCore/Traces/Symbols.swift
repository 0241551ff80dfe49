internal import CConcurrencyHooks
@_spi(Internal) @_spi(MemoryReaders) internal import Runtime

/// Turns code addresses into source places by the debug information of this process.
///
/// A new address costs milliseconds, a known one nothing; only reports ask.
package enum Symbols {
  private static let known = Guarded<[UInt: [Trace.CodePlace]]>([:])
  /// The places that this process has learned since it began, as a child of a process that may want to know them.
  private static let learned = Guarded<[Learned]>([])
  private static let images = capturedImages()
  /// The places that this process and its copies have looked up; nil if it makes no copies.
  private static let shared = Guarded<PlaceNotes?>(nil)

  /// The places of an address. A child's code is at the same addresses as its parent's.
  package struct Learned: Codable {
    fileprivate let address: UInt
    fileprivate let places: [Trace.CodePlace]
  }

  /// Reads the debug information of the executable that is read only once, so that copies need not read it.
  package static func prepare() {
    share()
    let anywhere: @convention(c) () -> Void = {}
    _ = unsafe places(of: [UInt(bitPattern: unsafeBitCast(anywhere, to: UnsafeRawPointer.self))])
  }

  /// Makes this process and its copies share what they look up from here on.
  package static func share() {
    ch_find_functions()
    shared.withLock { if $0 == nil { $0 = PlaceNotes() } }
  }

  /// Returns the images of this process. The library looks for an image at the head of each mapped file, shared memory
  /// included. Another thread may unmap one meanwhile, and a file may be an image that is mapped only to be read. So
  /// memory is read through the kernel, which reports where there is none; if the kernel may not be asked, it is read
  /// directly.
  private static func capturedImages() -> ImageMap {
    let images = ImageMap.capture(using: LocalMemoryReader())
    return images.isEmpty ? ImageMap.capture() : images
  }

  /// In a child: begins to note what it learns.
  package static func beginLearning() { learned.withLock { $0.removeAll() } }

  /// The places that have been noted.
  package static var news: [Learned] { learned.withLock(\.self) }

  /// In the parent: adds what a child has learned, which the children that it makes next then know, too.
  package static func learn(_ news: [Learned]) {
    guard !news.isEmpty else { return }
    known.withLock { known in
      for one in news { known[one.address] = one.places }
    }
  }

  /// Returns the places of user code at each address: none for runtime code and thunks, several if calls were inlined.
  package static func places(of addresses: [UInt]) -> [[Trace.CodePlace]] {
    // Not looked up under the lock: a copy of the process that is made meanwhile would wait for it forever.
    let new = known.withLock { Set(addresses).subtracting($0.keys).sorted() }
    if !new.isEmpty {
      let found = lookedUp(new)
      learned.withLock { $0 += new.map { Learned(address: $0, places: found[$0] ?? []) } }
      known.withLock { $0.merge(found) { first, _ in first } }
    }
    return known.withLock { known in addresses.map { known[$0] ?? [] } }
  }

  /// Returns the first place of user code at these addresses. What comes after it is not looked up.
  package static func innermostPlace(of addresses: [UInt]) -> Trace.CodePlace? {
    addresses.lazy.compactMap { places(of: [$0]).joined().first }.first
  }

  /// Returns the function of the code there, demangled and short.
  package static func name(at address: UInt) -> String? {
    CodeSymbol(at: address).map { shortened($0.readableName) }
  }

  /// Returns the places of user code of a stack, innermost first. A 0 after the first address means that closures
  /// follow that the code there may have captured. It calls one of them if it is a thunk, and only then do they count.
  package static func places(ofStack stack: [UInt]) -> [Trace.CodePlace] {
    guard let first = stack.first, stack.dropFirst().first == 0 else {
      return places(of: stack).flatMap { $0 }
    }
    let own = places(of: [first]).flatMap { $0 }
    return own.isEmpty && isThunk(first) ? places(of: Array(stack.dropFirst(2))).flatMap { $0 } : own
  }

  /// Returns what a copy of the same process has looked up already, and looks up the rest here.
  private static func lookedUp(_ addresses: [UInt]) -> [UInt: [Trace.CodePlace]] {
    guard let shared = shared.withLock(\.self) else { return symbolicated(addresses) }
    var result: [UInt: [Trace.CodePlace]] = [:]
    for address in addresses { result[address] = shared.places(of: address) }
    let left = addresses.filter { result[$0] == nil }
    guard !left.isEmpty else { return result }
    let found = symbolicated(left)
    for address in left { shared.note(found[address] ?? [], of: address) }
    return result.merging(found) { first, _ in first }
  }

  private static func symbolicated(_ addresses: [UInt]) -> [UInt: [Trace.CodePlace]] {
    var result = Dictionary(uniqueKeysWithValues: addresses.map { ($0, [Trace.CodePlace]()) })
    var forwarders: [Forwarder] = []
    let written = addresses.filter { !isNobodys($0, &forwarders) }
    var left: [UInt] = []
    for address in written {
      if let places = plainPlaces(at: address) { result[address] = places } else { left.append(address) }
    }
    result.merge(toolchainPlaces(at: left)) { $1 }
    for forwarder in forwarders where result[forwarder.address, default: []].isEmpty {
      // Most targets are not code that is called. To look up a line for each would take seconds.
      guard let address = forwarder.targets.first(where: { CodeSymbol(at: $0)?.name == forwarder.closure })
      else { continue }
      let places = plainPlaces(at: address) ?? toolchainPlaces(at: [address])[address] ?? []
      result[forwarder.address] = Array(places.prefix(1))
    }
    return result
  }

  /// Returns true if no user wrote the code there. Adds a forwarder to those whose closures must be found. To look up
  /// the line of such code takes as long as for a person's code. An optimized thunk may contain the closure itself.
  private static func isNobodys(_ address: UInt, _ forwarders: inout [Forwarder]) -> Bool {
    guard let symbol = CodeSymbol(at: address) else { return false }
    if let forwarder = Forwarder(address, name: symbol.name, in: images) { forwarders.append(forwarder) }
    guard Schedule.Token.Build.current == .debug else { return false }
    return symbol.isThunk || symbol.isEntryPoint || MangledName(symbol.name).module.map(isOwn) ?? false
  }

  /// Returns true if the code there was written by the compiler, to call a closure.
  private static func isThunk(_ address: UInt) -> Bool { CodeSymbol(at: address)?.isThunk ?? false }

  /// Returns the frames at each address, the innermost first if calls were inlined.
  private static func frames(at addresses: [UInt]) -> [(address: UInt, frame: SymbolicatedBacktrace.Frame)] {
    guard !addresses.isEmpty else { return [] }
    let isShared = ch_begins_reading()
    defer { if isShared { ch_ends_reading() } }
    let frames = addresses.map { RichFrame<UInt>.programCounter($0) }
    let backtrace = Backtrace(architecture: architecture, frames: frames, images: images)
      .symbolicated(with: images, options: .default)
    return (backtrace?.frames ?? []).compactMap { frame in
      UInt(frame.captured.adjustedProgramCounter.description.dropFirst(2), radix: 16).map { ($0, frame) }
    }
  }

  /// Returns the places of user code at each address that has some, found by the toolchain's reader.
  static func toolchainPlaces(at addresses: [UInt]) -> [UInt: [Trace.CodePlace]] {
    var result: [UInt: [Trace.CodePlace]] = [:]
    for (address, frame) in frames(at: addresses) {
      guard let symbol = frame.symbol, let location = symbol.sourceLocation,
        !frame.isSwiftThunk, !frame.isSystem, !symbol.imageName.hasPrefix("libswift"),
        let place = place(symbol.rawName, symbol.name, location.path, location.line)
      else { continue }
      result[address, default: []].append(place)
    }
    return result
  }

  /// Returns the places of code into which no call can be inlined; nil if the toolchain must decide.
  static func plainPlaces(at address: UInt) -> [Trace.CodePlace]? {
    switch SourceLine(of: address) {
    case .none: return []
    case .unknown: return nil
    case .line(let path, let line):
      guard let symbol = CodeSymbol(at: address) else { return nil }
      if isWritten(path) { return path.hasSuffix(".swift") ? place(symbol, path, line).map { [$0] } : nil }
      guard case .line(let file, _) = SourceLine(of: address - symbol.offset) else { return nil }
      // Either the compiler or a macro has written all of it, or a macro has written it into a person's function.
      if file == path { return [] }
      guard line > 0, isWritten(file), let line = SourceLine.ofCall(expandedTo: path) else { return nil }
      return place(symbol, file, line).map { [$0] }
    }
  }

  private static func place(_ symbol: CodeSymbol, _ path: String, _ line: Int) -> Trace.CodePlace? {
    guard !symbol.isThunk, !symbol.isEntryPoint, !symbol.library.hasPrefix("libswift") else { return nil }
    return place(symbol.name, symbol.readableName, path, line)
  }

  private static func place(
    _ mangled: String, _ readable: String, _ path: String, _ line: Int
  ) -> Trace.CodePlace? {
    guard line > 0, isWritten(path) else { return nil }
    let name = MangledName(mangled)
    if let module = name.module, isOwn(module) { return nil }
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return Trace.CodePlace(
      function: shortened(readable), file: file, line: line, isFake: name.type is any SimulatedFake.Type,
      path: path)
  }

  /// Returns true if the module is one of this package's, in which a user's task may be suspended.
  private static func isOwn(_ module: String) -> Bool { unsafe ch_is_own_module(module) }

  /// Returns true if a person wrote the file, in Swift: not a macro, not the compiler. A C function cannot be
  /// suspended.
  private static func isWritten(_ path: String) -> Bool {
    !path.contains("@__swiftmacro_") && !path.hasPrefix("/<compiler") && !path.hasSuffix(".c")
  }

  /// Drops what a demangled name says besides the function: `(3) suspend resume partial function for`, the module, and
  /// the types of parameters and result.
  static func shortened(_ name: String) -> String {
    var text = Substring(name)
    for marker in ["suspend resume partial function for ", "await resume partial function for "] {
      if let range = text.firstRange(of: marker) { text = text[range.upperBound...] }
    }
    var isClosure = false
    while text.hasPrefix("closure #") || text.hasPrefix("implicit closure #"),
      let range = text.firstRange(of: " in ")
    {
      isClosure = true
      text = text[range.upperBound...]
    }
    for marker in [
      "one-time initialization function for ", "variable initialization expression of ", "static ",
    ] where text.hasPrefix(marker) {
      text = text.dropFirst(marker.count)
    }
    if text.hasSuffix(".unsafeMutableAddressor") { text = text.dropLast(".unsafeMutableAddressor".count) }
    if text.hasPrefix("specialized ") { text = text.dropFirst("specialized ".count) }
    let short = withoutTypes(text)
    guard isClosure else { return short }
    return short.isEmpty || short == "()" ? "closure" : "closure in " + short
  }

  /// Turns `Type.method(label: Int) async -> ()` into `Type.method(label:)`.
  private static func withoutTypes(_ text: Substring) -> String {
    guard let open = text.firstIndex(of: "(") else { return String(text) }
    return text[..<open].replacing("@Sendable ", with: "") + "(" + parameterLabels(text[open...]).joined()
      + ")"
  }

  /// Returns the labels of a demangled parameter list, `_:` for a parameter without one.
  private static func parameterLabels(_ list: Substring) -> [String] {
    var depth = 0
    var parameters: [Substring] = []
    var start = list.index(after: list.startIndex)
    scan: for index in list.indices {
      switch list[index] {
      case "(", "[", "<": depth += 1
      case ")", "]", ">":
        if list[index] == ">", index > list.startIndex, list[list.index(before: index)] == "-" { continue }
        depth -= 1
        if depth == 0 {
          parameters.append(list[start..<index])
          break scan
        }
      case "," where depth == 1:
        parameters.append(list[start..<index])
        start = list.index(after: index)
      default: break
      }
    }
    return parameters.filter { !$0.allSatisfy(\.isWhitespace) }.map { parameter in
      let words = parameter.prefix { $0 != ":" }
      let isLabelled =
        words.count < parameter.count
        && words.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == " " }
      return isLabelled ? words.trimmingPrefix(while: \.isWhitespace) + ":" : "_:"
    }
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #else
      "arm64"
    #endif
  }
}
