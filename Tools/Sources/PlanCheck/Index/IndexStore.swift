import CIndexStore

/// The compiler's index of a package, which every debug build writes.
@safe final class IndexStore {
  private let functions: indexstore_functions
  private let store: UnsafeMutableRawPointer

  init(path: String, library: String) throws(Refusal) {
    // Safe: the table is only used once `indexstore_load` has filled all of it.
    let functions = UnsafeMutablePointer<indexstore_functions>.allocate(capacity: 1)
    defer { unsafe functions.deallocate() }
    if let missing = unsafe indexstore_load(library, functions) {
      throw Refusal("\(library): \(unsafe String(cString: missing))")
    }
    self.functions = unsafe functions.pointee
    var error: UnsafeMutableRawPointer?
    guard let store = unsafe functions.pointee.store_create(path, &error) else {
      throw Refusal(unsafe "\(path): \(Self.words(error, functions.pointee))")
    }
    unsafe self.store = unsafe store
  }

  deinit { unsafe functions.store_dispose(store) }

  /// The files that the index knows and that `isWanted` accepts, by path.
  func files(where isWanted: @escaping (String) -> Bool) throws(Refusal) -> [String: IndexedFile] {
    var files: [String: IndexedFile] = [:]
    var readRecords: Set<String> = []
    for name in unitNames() {
      let unit = try unit(named: name)
      guard isWanted(unit.mainFile) else { continue }
      let known = files[unit.mainFile]?.indexed
      if let known, known >= unit.modified { continue }
      if known != nil { files[unit.mainFile] = nil }
      files[unit.mainFile, default: IndexedFile(path: unit.mainFile)].indexed = unit.modified
      for record in unit.records where isWanted(record.file) {
        let isMain = record.file == unit.mainFile
        guard isMain || readRecords.insert(record.name).inserted else { continue }
        files[record.file, default: IndexedFile(path: record.file)].occurrences += try occurrences(
          inRecord: record.name)
      }
    }
    return files
  }

  private struct Unit {
    var mainFile = ""
    /// Nanoseconds since 1970.
    var modified = 0
    var records: [(name: String, file: String)] = []
  }

  private func unitNames() -> [String] {
    var names: [String] = []
    // Safe: the library calls the visitor before it returns, on this thread.
    _ = unsafe withUnsafeMutablePointer(to: &names) { names in
      unsafe functions.store_units_apply_f(store, 1, names) { names, name in
        unsafe names!.assumingMemoryBound(to: [String].self).pointee.append(IndexStore.string(name))
        return true
      }
    }
    return names
  }

  private func unit(named name: String) throws(Refusal) -> Unit {
    var error: UnsafeMutableRawPointer?
    guard let reader = unsafe functions.unit_reader_create(store, name, &error) else {
      throw Refusal(unsafe "the index's unit \(name): \(Self.words(error, functions))")
    }
    defer { unsafe functions.unit_reader_dispose(reader) }
    var unit = Unit()
    unit.mainFile = unsafe Self.string(functions.unit_reader_get_main_file(reader))
    var seconds: Int64 = 0
    var nanoseconds: Int64 = 0
    unsafe functions.unit_reader_get_modification_time(reader, &seconds, &nanoseconds)
    unit.modified = Int(seconds) * 1_000_000_000 + Int(nanoseconds)
    unsafe visit({ unsafe functions.unit_reader_dependencies_apply_f(reader, $0, $1) }) { dependency in
      guard unsafe functions.unit_dependency_get_kind(dependency) == INDEXSTORE_RECORD_DEPENDENCY else {
        return
      }
      unit.records.append(
        (
          name: unsafe Self.string(functions.unit_dependency_get_name(dependency)),
          file: unsafe Self.string(functions.unit_dependency_get_filepath(dependency))
        ))
    }
    return unit
  }

  private func occurrences(inRecord name: String) throws(Refusal) -> [Occurrence] {
    var error: UnsafeMutableRawPointer?
    guard let reader = unsafe functions.record_reader_create(store, name, &error) else {
      throw Refusal(unsafe "the index's record \(name): \(Self.words(error, functions))")
    }
    defer { unsafe functions.record_reader_dispose(reader) }
    var occurrences: [Occurrence] = []
    unsafe visit({ unsafe functions.record_reader_occurrences_apply_f(reader, $0, $1) }) { item in
      if let occurrence = unsafe occurrence(item) { occurrences.append(occurrence) }
    }
    return occurrences
  }

  private func occurrence(_ item: UnsafeMutableRawPointer) -> Occurrence? {
    let roles = Int(truncatingIfNeeded: unsafe functions.occurrence_get_roles(item))
    let role: Occurrence.Role
    switch roles {
    case _ where roles & Int(INDEXSTORE_DEFINITION) != 0: role = .definition
    case _ where roles & Int(INDEXSTORE_REFERENCE) != 0: role = .reference
    case _ where roles & Int(INDEXSTORE_DECLARATION) != 0: role = .declaration
    default: return nil
    }
    var line: UInt32 = 0
    var column: UInt32 = 0
    unsafe functions.occurrence_get_line_col(item, &line, &column)
    var occurrence = Occurrence(
      symbol: unsafe symbol(functions.occurrence_get_symbol(item)), role: role, line: Int(line),
      column: Int(column))
    guard role == .definition else { return occurrence }
    unsafe visit({ unsafe functions.occurrence_relations_apply_f(item, $0, $1) }) { relation in
      let roles = Int(truncatingIfNeeded: unsafe functions.symbol_relation_get_roles(relation))
      guard roles & Int(INDEXSTORE_CHILD_OF) != 0 else { return }
      occurrence.container = unsafe symbol(functions.symbol_relation_get_symbol(relation))
    }
    return occurrence
  }

  private func symbol(_ symbol: UnsafeMutableRawPointer) -> Symbol {
    unsafe Symbol(
      usr: Self.string(functions.symbol_get_usr(symbol)), name: Self.string(functions.symbol_get_name(symbol))
    )
  }

  /// Hands a closure through the library's visitors, which are C functions with a context.
  private func visit(
    _ apply: (UnsafeMutableRawPointer, @escaping indexstore_visitor) -> Bool,
    _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    unsafe withoutActuallyEscaping(body) { body in
      var body = unsafe body
      // Safe: the library calls the visitor before it returns, on this thread.
      _ = unsafe withUnsafeMutablePointer(to: &body) { body in
        unsafe apply(body) { body, item in
          unsafe body!.assumingMemoryBound(to: ((UnsafeMutableRawPointer) -> Void).self).pointee(item)
          return true
        }
      }
    }
  }

  private static func string(_ text: indexstore_text) -> String {
    guard let data = unsafe text.data else { return "" }
    return unsafe data.withMemoryRebound(to: UInt8.self, capacity: text.length) {
      unsafe String(decoding: UnsafeBufferPointer(start: $0, count: text.length), as: UTF8.self)
    }
  }

  private static func words(_ error: UnsafeMutableRawPointer?, _ functions: indexstore_functions) -> String {
    guard let error = unsafe error else { return "it cannot be read" }
    defer { unsafe functions.error_dispose(error) }
    return unsafe String(cString: functions.error_get_description(error))
  }
}
