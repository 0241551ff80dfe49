import Foundation
import FoundationXML

/// What an XML parser of another's makes of a text.
final class XMLTree: NSObject, XMLParserDelegate {
  final class Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var text = ""

    init(_ name: String, _ attributes: [String: String]) {
      self.name = name
      self.attributes = attributes
    }

    /// The elements with the names of their attributes, and nothing of what they say.
    var shape: String {
      "<\(name) \(attributes.keys.sorted().joined(separator: " "))>" + children.map(\.shape).joined() + "</>"
    }

    func all(_ wanted: String) -> [Element] {
      (name == wanted ? [self] : []) + children.flatMap { $0.all(wanted) }
    }
  }

  private var open: [Element] = []
  private var root: Element?

  /// Nil when the text is not well-formed.
  static func root(of text: String) -> Element? {
    let tree = XMLTree()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = tree
    return parser.parse() ? tree.root : nil
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let element = Element(name, attributes)
    open.last?.children.append(element)
    open.append(element)
    root = root ?? element
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }
}
