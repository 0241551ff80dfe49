internal import Simulator

/// Writes a page from top to bottom.
struct PageWriter {
  private static let style = String(decoding: PackageResources.page_css, as: UTF8.self) + PageLanes.style
  private static let script = String(decoding: PackageResources.page_js, as: UTF8.self)

  private(set) var text = ""
  /// The details that rows show on hover or focus, each once.
  var details = DetailTable()
  private var addresses: Set<String> = []

  mutating func add(_ markup: String) { text += markup }

  /// Returns an address that no other part of the page has.
  private mutating func address(_ name: String) -> String {
    let plain = HTMLText.slug(name)
    var address = plain
    var number = 2
    while !addresses.insert(address).inserted {
      address = "\(plain)-\(number)"
      number += 1
    }
    return address
  }

  mutating func write(_ page: Page) {
    let addresses = page.subjects.map { subject in
      subject.variants.map { address(subject.name + "." + $0.name) }
    }
    add(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>\(HTMLText.escaped(page.title))</title>
      <style>
      \(Self.style)</style>
      </head>
      <body>

      """)
    header(page, addresses)
    add("<main>\n")
    for (subject, addresses) in zip(page.subjects, addresses) {
      write(subject, addresses, isAlone: page.subjects.count == 1)
    }
    add(
      """
      <p id="none" hidden="hidden">Nothing here goes by that name.</p>
      </main>
      <div id="tip" role="tooltip" hidden="hidden"></div>
      <script type="application/json" id="details">\(details.json)</script>\(attachment(of: page))
      <script>/*<![CDATA[*/
      \(Self.script)/*]]>*/</script>
      </body>
      </html>

      """)
  }

  private func attachment(of page: Page) -> String {
    guard let attachment = page.attachment else { return "" }
    let (start, end) = Page.attachmentBrackets
    return "\n" + start + HTMLText.harmless(json: attachment) + end
  }

  // MARK: the run at a glance

  private mutating func header(_ page: Page, _ addresses: [[String]]) {
    add("<header>\n<h1>\(HTMLText.escaped(page.title))</h1>\n")
    for (index, line) in page.lines.enumerated() {
      let kind =
        index == 0 ? (page.isAsExpected ? " class=\"verdict\"" : " class=\"verdict unexpected\"") : ""
      add("<p\(kind)>\(HTMLText.escaped(line))</p>\n")
    }
    let marks = page.subjects.flatMap(\.variants).map(\.mark)
    if marks.count > 1 {
      glance(page, addresses)
      filters(marks)
    }
    add("</header>\n")
  }

  private mutating func glance(_ page: Page, _ addresses: [[String]]) {
    add("<nav class=\"glance\" aria-label=\"All variants\">")
    for (subject, addresses) in zip(page.subjects, addresses) {
      add("<span>")
      for (variant, address) in zip(subject.variants, addresses) {
        let name = HTMLText.escaped("\(subject.name) · \(variant.name): \(variant.mark.words)")
        add(
          "<a class=\"\(variant.mark.rawValue)\" href=\"#\(address)\" title=\"\(name)\">\(variant.mark.sign)</a>"
        )
      }
      add("</span>")
    }
    add("</nav>\n")
  }

  private mutating func filters(_ marks: [Page.Mark]) {
    add(
      "<form class=\"filters\" role=\"search\"><input type=\"search\" id=\"find\" placeholder=\"Find a name\" aria-label=\"Find a name\" />"
    )
    add("<button type=\"button\" data-show=\"\" aria-pressed=\"true\">all \(marks.count)</button>")
    for mark in Page.Mark.allCases {
      let count = marks.count { $0 == mark }
      guard count > 0 else { continue }
      add(
        "<button type=\"button\" data-show=\"\(mark.rawValue)\" aria-pressed=\"false\"><i class=\"\(mark.rawValue)\">\(mark.sign)</i> \(mark.words) \(count)</button>"
      )
    }
    add("<button type=\"button\" id=\"open-all\">open all</button></form>\n")
  }

  /// Returns the curve of behaviors, as high as a line of text. The horizontal axis shows schedules, up to the final
  /// number.
  private func curve(_ growth: Page.Growth) -> String {
    let most = growth.points.map(\.behaviors).max() ?? 1
    let all = growth.points.last?.schedules ?? 1
    let points = growth.points.map { point in
      "\(64 * point.schedules / max(1, all)),\(15 - 14 * point.behaviors / max(1, most))"
    }
    let words = growth.points.suffix(3).map { "\($0.behaviors.grouped) after \($0.schedules.grouped)" }
    return
      "<svg class=\"growth\" viewBox=\"0 0 64 15\" role=\"img\"><title>behaviors: \(words.joined(separator: ", "))</title><polyline points=\"\(points.joined(separator: " "))\" /></svg>"
  }

  // MARK: a subject

  private mutating func write(_ subject: Page.Subject, _ addresses: [String], isAlone: Bool) {
    add("<section class=\"subject\">\n<h2>\(HTMLText.escaped(subject.name))</h2>")
    if !subject.place.isEmpty { add("<p class=\"place\">\(HTMLText.escaped(subject.place))</p>") }
    if !subject.about.isEmpty { add("<p class=\"about\">\(HTMLText.escaped(subject.about))</p>") }
    add("\n")
    for (variant, address) in zip(subject.variants, addresses) {
      write(variant, address, isOpen: variant.mark == .unexpected || isAlone && variant.hasRuns)
    }
    for note in subject.notes { add("<p class=\"note\">\(HTMLText.escaped(note))</p>\n") }
    add("</section>\n")
  }

  private mutating func write(_ variant: Page.Variant, _ address: String, isOpen: Bool) {
    let head =
      "<i class=\"\(variant.mark.rawValue)\" title=\"\(variant.mark.words)\">\(variant.mark.sign)</i> <b>\(HTMLText.escaped(variant.name))</b> <span>\(HTMLText.escaped(variant.verdict))</span>\(variant.growth.map(curve) ?? "")"
    let mark = "data-mark=\"\(variant.mark.rawValue)\" id=\"\(address)\""
    guard variant.hasRuns || !variant.notes.isEmpty else {
      add("<div class=\"variant\" \(mark)>\(head)</div>\n")
      return
    }
    add("<details class=\"variant\" \(mark)\(isOpen ? " open=\"open\"" : "")><summary>\(head)</summary>\n")
    for note in variant.notes { add("<p class=\"note\">\(HTMLText.escaped(note))</p>\n") }
    // Findings of one execution share its picture.
    var rest = variant.findings[...]
    while let first = rest.first {
      let same = rest.prefix { $0.token == first.token }
      rest = rest.dropFirst(same.count)
      write(Array(same), variant.schedule)
    }
    if let execution = variant.execution { write(execution, variant.schedule) }
    add("</details>\n")
  }
}

extension Page.Variant {
  fileprivate var hasRuns: Bool { !findings.isEmpty || execution != nil }
}
