import SwiftSyntax

/// Finds every site of every operator in one unit.
final class MutantFinder: SyntaxVisitor {
  struct Found {
    let mutation: Operator
    let before: String
    let after: String
    let edits: [Edit]
  }

  private(set) var found: [Found] = []
  private let isValue: Bool
  /// Says to the compiler, in an initializer, that all must be initialized here.
  private let leaving: String

  /// - Parameter throwing: whether an error may be invented at the unit's start.
  init(in node: Syntax, of unit: Unit, throwing: Bool) {
    if case .value = unit.kind { isValue = true } else { isValue = false }
    if case .body(.initializer, _) = unit.kind { leaving = "_ = self; " } else { leaving = "" }
    super.init(viewMode: .sourceAccurate)
    if throwing, let items = node.as(CodeBlockItemListSyntax.self), let first = items.first {
      insert("throw InventedError();", before: first, .inventError)
    }
    if case .body(_, isImplicit: true) = unit.kind, let item = node.as(CodeBlockItemListSyntax.self)?.first {
      otherResults(Syntax(item.item))
    }
    walk(node)
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    guard !isValue else { return .visitChildren }
    let items = Array(node)
    for (place, item) in items.enumerated() {
      drop(item, isAlone: items.count == 1)
      // To return before the last statement of all is to drop it.
      if place < items.count - 1 || !node.isWholeBody { insert("return;", before: item, .returnEarly) }
      if place > 0 { swap(items[place - 1], item) }
    }
    return .visitChildren
  }

  private func drop(_ item: CodeBlockItemSyntax, isAlone: Bool) {
    let mutation: Operator =
      item.item.is(DeferStmtSyntax.self) ? .dropDefer : item.awaits ? .dropAwait : .dropStatement
    // A closure of one expression needs something to be.
    replace(item.item, with: isAlone ? "do {}" : "", mutation, shown: "nothing")
  }

  private func swap(_ one: CodeBlockItemSyntax, _ other: CodeBlockItemSyntax) {
    guard !one.leaves, !other.leaves else { return }
    // The same program, as long as reading a variable runs no code of its own.
    if let one = PlainStore(one), let other = PlainStore(other), one.isApart(from: other) { return }
    // A `defer` runs at the end of the function, whether it stands before or after what cannot leave it.
    if one.isDefer && other.staysInFunction || one.staysInFunction && other.isDefer { return }
    let texts = (one.item.trimmedDescription, other.item.trimmedDescription)
    guard texts.0 != texts.1 else { return }
    found.append(
      Found(
        mutation: one.awaits || other.awaits ? .moveAwait : .swapStatements,
        before: "\(texts.0.folded) ⏎ \(texts.1.folded)", after: "\(texts.1.folded) ⏎ \(texts.0.folded)",
        edits: [
          Edit(range: one.item.trimmedRange.utf8, text: texts.1),
          Edit(range: other.item.trimmedRange.utf8, text: texts.0),
        ]))
  }

  private func insert(_ text: String, before item: CodeBlockItemSyntax, _ mutation: Operator) {
    if item.item.is(ReturnStmtSyntax.self), mutation == .returnEarly { return }
    let start = item.item.trimmedRange.utf8.lowerBound
    let code = item.item.trimmedDescription.folded
    found.append(
      Found(
        mutation: mutation, before: code, after: "\(text) \(code)",
        edits: [Edit(range: start..<start, text: (mutation == .returnEarly ? leaving : "") + "\(text) ")]))
  }

  // MARK: - Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    switch node.condition {
    case .expression(let condition):
      replace(condition, with: "!(\(condition.trimmedDescription))", .negateCondition)
    case .optionalBinding, .matchingPattern:
      replace(node.condition, with: "\(node.condition.trimmedDescription), Mutation.never", .neverBinds)
    case .availability: break
    }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    replace(node.condition, with: "!(\(node.condition.trimmedDescription))", .negateCondition, in: node)
    return .visitChildren
  }

  // MARK: - Errors

  override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
    if node.questionOrExclamationMark == nil {
      let text = "try?" + String(node.trimmedDescription.dropFirst(3))
      replace(node, with: text, .swallowError)
    }
    return .visitChildren
  }

  // MARK: - Values

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    replace(node, with: node.literal.text == "true" ? "false" : "true", .otherLiteral, in: line(of: node))
    return .skipChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if let value = Int(node.literal.text.filter { $0 != "_" }) {
      replace(node, with: "\(value + 1)", .otherLiteral, in: line(of: node))
    }
    return .skipChildren
  }

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    if let expression = node.expression { otherResults(Syntax(expression)) }
    return .visitChildren
  }

  private func otherResults(_ node: Syntax) {
    let text = node.trimmedDescription
    for other in ["!(\(text))", "nil", "[]"] where other != text { replace(node, with: other, .otherResult) }
  }

  private static let comparisons = ["==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"]

  override func visit(_ node: BinaryOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if let other = Self.comparisons[node.operator.text] {
      replace(node, with: other, .otherComparison, in: node.parent)
    }
    return .skipChildren
  }

  // MARK: - Notes

  /// The statement in which a small node stands, so that the table shows more than `0 → 1`.
  private func line(of node: some SyntaxProtocol) -> Syntax? {
    var parent = node.parent
    while let known = parent {
      if known.is(CodeBlockItemSyntax.self) || known.is(ConditionElementSyntax.self) { return known }
      if known.is(PatternBindingSyntax.self) { return known }
      parent = known.parent
    }
    return nil
  }

  private func replace(
    _ node: some SyntaxProtocol, with text: String, _ mutation: Operator,
    in context: (some SyntaxProtocol)? = Syntax?.none, shown: String? = nil
  ) {
    if isValue, mutation != .otherLiteral { return }
    let edit = Edit(range: node.trimmedRange.utf8, text: text)
    var before = node.trimmedDescription
    var after = shown ?? text
    if let context {
      before = context.trimmedDescription
      after = before.applying([edit], from: context.trimmedRange.utf8.lowerBound)
    }
    found.append(Found(mutation: mutation, before: before.folded, after: after.folded, edits: [edit]))
  }
}

extension CodeBlockItemListSyntax {
  /// Whether it is all of a function or a closure, and not a block inside.
  fileprivate var isWholeBody: Bool {
    guard let parent else { return true }
    if parent.is(ClosureExprSyntax.self) || parent.is(AccessorBlockSyntax.self) { return true }
    guard parent.is(CodeBlockSyntax.self), let owner = parent.parent else { return false }
    return owner.is(FunctionDeclSyntax.self) || owner.is(InitializerDeclSyntax.self)
      || owner.is(DeinitializerDeclSyntax.self) || owner.is(AccessorDeclSyntax.self)
  }
}

extension CodeBlockItemSyntax {
  /// Whether nothing after it is reached.
  fileprivate var leaves: Bool {
    item.is(ReturnStmtSyntax.self) || item.is(ThrowStmtSyntax.self) || item.is(BreakStmtSyntax.self)
      || item.is(ContinueStmtSyntax.self)
  }

  fileprivate var isDefer: Bool { item.is(DeferStmtSyntax.self) }

  /// Whether it is an expression that leaves the function neither by a `return` nor by an error. It declares nothing that a
  /// `defer` could use.
  fileprivate var staysInFunction: Bool {
    guard item.is(ExprSyntax.self), !item.is(IfExprSyntax.self), !item.is(SwitchExprSyntax.self) else {
      return false
    }
    return !item.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.try) }
  }

  /// Whether it awaits itself, and not only in a closure that it makes.
  fileprivate var awaits: Bool {
    item.tokens(viewMode: .sourceAccurate).contains { token in
      guard token.tokenKind == .keyword(.await) else { return false }
      var parent = token.parent
      while let known = parent, known.id != item.id {
        if known.is(ClosureExprSyntax.self) || known.is(FunctionDeclSyntax.self) { return false }
        parent = known.parent
      }
      return true
    }
  }
}
