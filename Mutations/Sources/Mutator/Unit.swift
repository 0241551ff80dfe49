import SwiftSyntax

/// A piece of code of which a build holds several versions: the body of a function, or the initial value of a property.
struct Unit {
  let function: String
  let kind: Kind
  /// Of UTF-8: what stands between the braces, or the value.
  let range: Range<Int>

  enum Kind {
    /// `isImplicit` where the body is one expression, whose value is returned without a word.
    case body(Owner, isImplicit: Bool)
    /// Without statements: only literals in it are changed.
    case value
  }

  enum Owner {
    case initializer
    /// Something that has a result.
    case getter
    case other

    /// What ends each version of the body: where the version does not do what such a body must, the compiler says so in
    /// these lines, and not at the end of all versions.
    var end: String {
      switch self {
      case .initializer: "      _ = self"
      case .getter: "      let result: Int\n      _ = result"
      case .other: ""
      }
    }
  }
}

/// Finds the units of a file, outermost bodies only.
final class UnitFinder: SyntaxVisitor {
  private(set) var units: [(unit: Unit, node: Syntax)] = []
  private var types: [String] = []

  init(in file: SourceFileSyntax) {
    super.init(viewMode: .sourceAccurate)
    walk(file)
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: ActorDeclSyntax) { types.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: EnumDeclSyntax) { types.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let labels = node.signature.parameterClause.parameters.map { "\($0.firstName.text):" }.joined()
    add(
      "\(node.name.text)(\(labels))", node.body, of: node.signature.returnClause == nil ? .other : .getter)
    return .skipChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    add("init", node.body, of: .initializer)
    return .skipChildren
  }

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    add("deinit", node.body, of: .other)
    return .skipChildren
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    let name = node.pattern.trimmedDescription
    switch node.accessorBlock?.accessors {
    case .getter(let items):
      add(name, items, of: .getter)
    case .accessors(let accessors):
      for accessor in accessors {
        add(
          name, accessor.body, of: accessor.accessorSpecifier.tokenKind == .keyword(.get) ? .getter : .other)
      }
    case nil: break
    }
    if let value = node.initializer?.value {
      units.append((Unit(function: path(name), kind: .value, range: value.trimmedRange.utf8), Syntax(value)))
    }
    return .skipChildren
  }

  private func enter(_ type: String) -> SyntaxVisitorContinueKind {
    types.append(type)
    return .visitChildren
  }

  private func path(_ name: String) -> String { (types + [name]).joined(separator: ".") }

  private func add(_ name: String, _ body: CodeBlockSyntax?, of owner: Unit.Owner) {
    if let body { add(name, body.statements, of: owner) }
  }

  private func add(_ name: String, _ items: CodeBlockItemListSyntax, of owner: Unit.Owner) {
    guard !items.isEmpty else { return }
    let kind = Unit.Kind.body(owner, isImplicit: owner == .getter && items.isOneExpression)
    units.append((Unit(function: path(name), kind: kind, range: items.range.utf8), Syntax(items)))
  }
}

extension Range<AbsolutePosition> {
  var utf8: Range<Int> { lowerBound.utf8Offset..<upperBound.utf8Offset }
}

extension CodeBlockItemListSyntax {
  /// Whether its value is the result, without `return`.
  var isOneExpression: Bool {
    guard count == 1, let item = first?.item else { return false }
    switch item {
    case .expr: return true
    // An `if` or a `switch` whose branches are values.
    case .stmt(let statement):
      guard statement.is(ExpressionStmtSyntax.self) else { return false }
      return !statement.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
    case .decl: return false
    }
  }
}
