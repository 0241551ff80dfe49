import SwiftSyntax

/// A statement that only keeps a value: an assignment, or the declaration of a constant or a variable. It calls nothing and
/// awaits nothing.
struct PlainStore {
  /// The variable, its parts joined by dots, without `self`.
  private let written: String
  private let read: [String]

  init?(_ item: CodeBlockItemSyntax) {
    guard let (written, value) = Self.parts(of: item) else { return nil }
    let names = Names(viewMode: .sourceAccurate)
    names.walk(value)
    guard !names.hasMore else { return nil }
    var read = names.found
    // `+=` reads what it writes.
    if let infix = item.item.as(InfixOperatorExprSyntax.self), !infix.operator.is(AssignmentExprSyntax.self) {
      read.append(written)
    }
    (self.written, self.read) = (written, read)
  }

  /// Whether neither reads or writes what the other writes: one after the other they are the same as the other way around.
  func isApart(from other: PlainStore) -> Bool {
    !Self.meet(written, other.written) && !read.contains { Self.meet($0, other.written) }
      && !other.read.contains { Self.meet($0, written) }
  }

  private static func meet(_ one: String, _ other: String) -> Bool {
    one == other || one.hasPrefix(other + ".") || other.hasPrefix(one + ".")
  }

  private static func parts(of item: CodeBlockItemSyntax) -> (String, ExprSyntax)? {
    if let infix = item.item.as(InfixOperatorExprSyntax.self) {
      let sign = infix.operator.trimmedDescription
      guard ["=", "+=", "-="].contains(sign), let path = path(of: infix.leftOperand) else { return nil }
      return (path, infix.rightOperand)
    }
    guard let variable = item.item.as(VariableDeclSyntax.self), variable.modifiers.isEmpty,
      variable.bindings.count == 1, let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self), let value = binding.initializer?.value
    else { return nil }
    return (name.identifier.text, value)
  }

  /// `screen.phase` for `self.screen.phase`; nil for what is no name with its parts.
  fileprivate static func path(of expression: ExprSyntax) -> String? {
    if let name = expression.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
    guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base else { return nil }
    let part = member.declName.baseName.text
    return path(of: base).map { $0 == "self" ? part : "\($0).\(part)" }
  }

  /// The variables that an expression reads.
  private final class Names: SyntaxAnyVisitor {
    private(set) var found: [String] = []
    /// Whether it does anything but read.
    private(set) var hasMore = false

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
      switch node.kind {
      case .functionCallExpr, .subscriptCallExpr, .closureExpr, .awaitExpr, .tryExpr, .macroExpansionExpr,
        .optionalChainingExpr, .forceUnwrapExpr, .ifExpr, .switchExpr:
        hasMore = true
        return .skipChildren
      default: return .visitChildren
      }
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
      // `.loading` reads nothing.
      guard let base = node.base else { return .skipChildren }
      guard let path = PlainStore.path(of: ExprSyntax(node)) else {
        hasMore = hasMore || !base.is(TypeExprSyntax.self)
        return .skipChildren
      }
      found.append(path)
      return .skipChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      found.append(node.baseName.text)
      return .skipChildren
    }
  }
}
