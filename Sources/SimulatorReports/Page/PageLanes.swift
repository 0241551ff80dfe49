/// The part of a page's style that depends on lanes. The rest is `page.css`.
enum PageLanes {
  /// The number of lanes with a place of their own. The last lane also shows the events of all further lanes.
  static let most = 24

  static let style = (0..<most).map { ".l\($0){--l:\($0)}" }.joined() + "\n" + columns + "\n"

  /// If a run is wide enough for its lanes, each lane is a column and each step a box in it.
  private static var columns: String {
    let lanes = """
      {LANES{display:grid;grid-template-columns:repeat(var(--n),minmax(0,1fr))}
      LANES li{padding:0 8px;margin:0 3px 0 5px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;border-bottom:2px solid var(--c)}
      LANES li::before{display:none}
      RUN ol>li::before{width:auto;right:0;background:repeating-linear-gradient(to right,var(--rule) 0 1px,transparent 1px calc(100%/var(--n)))}
      RUN li>div{margin:1px 3px 1px calc(var(--l,0)*100%/var(--n) + 5px);width:calc(100%/var(--n) - 9px);background:var(--b);border-left:3px solid var(--c);border-radius:3px}
      RUN li>div::before{display:none}
      RUN li.o>div,RUN li.ok>div{margin-left:5px;width:auto;border-left-width:0;background:var(--card)}
      RUN li.ok>div{background:var(--goodbg)}
      RUN li.vx>div{width:auto;border-left:3px solid var(--bad);background:var(--badbg)}
      RUN li.mk>div{border-left:5px solid var(--known)}
      RUN li:hover>div{filter:brightness(.97)}}
      """
    func rules(_ selector: String, _ condition: String) -> String {
      "@container \(condition)"
        + lanes.replacing("LANES", with: "\(selector) .lanes").replacing("RUN", with: "\(selector) .run")
    }
    let alone = (1...7).map { rules(".n\($0):not(.pair)", "(min-width:\(70 + 145 * $0)px)") }
    let under = (1...5).map { rules(".n\($0).pair", "(min-width:\(70 + 145 * $0)px) and (max-width:859px)") }
    // When the runs are side by side, each has half of the width.
    let beside = """
      @container (min-width:860px){.pair .runs{display:grid;grid-template-columns:1fr 1fr;gap:0 28px;grid-template-rows:repeat(var(--r),auto)}
      .pair .run{display:grid;grid-template-rows:subgrid;grid-row:1/span calc(var(--r) + 1);align-content:start}
      .pair .run ol{display:contents}}
      """
    let halves = (1...3).map { rules(".n\($0).pair", "(min-width:\(max(860, 168 + 300 * $0))px)") }
    return (alone + under + halves + [beside]).joined(separator: "\n")
  }
}
