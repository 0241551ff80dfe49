/// The style of a page: light and dark, on paper, on a phone and on a wide screen.
enum PageStyle {
  static let text =
    "\n" + [colors, lanes, layout, findings, figures, wide, print].joined(separator: "\n") + "\n"

  /// The number of lanes with a place of their own. The last lane also shows the events of all further lanes.
  static let mostLanes = 24

  private static let lanes = (0..<mostLanes).map { ".l\($0){--l:\($0)}" }.joined()

  private static let colors = """
    :root{color-scheme:light dark;
    --paper:#fdfdfc;--ink:#1d1f23;--soft:#5f646d;--rule:#e3e3df;--card:#f4f4f1;--accent:#0b5cad;
    --good:#22743a;--bad:#b3261e;--known:#8a5a00;--badbg:#fdeceb;--knownbg:#fbf3df;--goodbg:#e9f5ec;
    --p:#6c727c;--m:#1a66c2;--a:#7747b5;--f:#0c7a74;--q:#a35a00;--t:#8a4a3c;--o:#6c727c}
    @media (prefers-color-scheme:dark){:root{
    --paper:#16181b;--ink:#e6e7e9;--soft:#9ba1ab;--rule:#30343a;--card:#1f2226;--accent:#7ab5f5;
    --good:#7ccf92;--bad:#ff8f86;--known:#e5b85c;--badbg:#3a1f1e;--knownbg:#332a15;--goodbg:#18301f;
    --p:#a2a8b2;--m:#7fb4f7;--a:#bd9bf0;--f:#63c7c0;--q:#e8a75a;--t:#d99a8b;--o:#a2a8b2}}
    """

  private static let layout = """
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
    header,main{max-width:1360px;margin:0 auto;padding:0 20px}
    header{padding-top:28px}
    h1{font-size:22px;line-height:1.3;font-weight:650;margin:0 0 4px;overflow-wrap:anywhere}
    header>p{margin:0;color:var(--soft);overflow-wrap:anywhere}
    header>.verdict{color:var(--good);font-weight:600;font-size:16px}
    header>.verdict.unexpected{color:var(--bad)}
    code,.replay code,.code,time{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
    i{font-style:normal;font-weight:700}
    i.holds{color:var(--good)}i.known,i.outdated{color:var(--known)}i.unexpected{color:var(--bad)}i.open{color:var(--soft)}
    .glance{display:flex;flex-wrap:wrap;gap:6px;margin:18px 0 14px}
    .glance span{display:flex;gap:1px}
    .glance a{width:17px;height:20px;font:700 11px/20px system-ui,sans-serif;text-align:center;text-decoration:none;border-radius:3px;background:var(--card);color:var(--soft)}
    .glance a.holds{background:var(--goodbg);color:var(--good)}
    .glance a.known,.glance a.outdated{background:var(--knownbg);color:var(--known)}
    .glance a.unexpected{background:var(--bad);color:var(--paper)}
    .filters{display:flex;flex-wrap:wrap;gap:6px;margin:0 0 6px;padding-bottom:16px;border-bottom:1px solid var(--rule)}
    .filters input{flex:1 1 180px;min-width:0;max-width:340px}
    input,button{font:inherit;font-size:14px;color:inherit;background:var(--paper);border:1px solid var(--rule);border-radius:6px;padding:4px 10px}
    button{cursor:pointer;color:var(--soft)}
    button[aria-pressed=true]{color:var(--ink);border-color:var(--soft);background:var(--card)}
    #open-all{margin-left:auto}
    :focus-visible{outline:2px solid var(--accent);outline-offset:1px}
    [hidden]{display:none!important}
    """

  private static let findings = """
    .subject{padding:18px 0 16px;border-bottom:1px solid var(--rule)}
    .subject:last-of-type{border-bottom:0}
    h2{display:inline;font-size:17px;font-weight:650;margin:0 10px 0 0;overflow-wrap:anywhere}
    .subject>.place{display:inline}
    .place{color:var(--soft);font-size:13px;margin:2px 0 0;overflow-wrap:anywhere}
    .place b{color:var(--ink);font-weight:600}
    .about{margin:3px 0 10px;max-width:76ch;color:var(--soft)}
    .variant{margin:2px 0;overflow-wrap:anywhere}
    div.variant,summary{padding:3px 0 3px 26px;text-indent:-22px;list-style:none;border-radius:5px}
    summary::-webkit-details-marker{display:none}
    summary{cursor:pointer}
    summary:hover{background:var(--card)}
    summary b::after{content:" ▸";color:var(--soft);font-weight:400}
    details[open]>summary b::after{content:" ▾"}
    .variant i{display:inline-block;width:18px;text-indent:0;text-align:center}
    .variant b{font-weight:600}
    summary span,div.variant span{color:var(--soft)}
    .note{margin:2px 0 2px 26px;color:var(--soft);font-size:14px;max-width:100ch}
    .subject>.note{margin-left:4px}
    details.variant[open]{padding-bottom:14px}
    details.variant[open]>:not(summary){margin-left:26px}
    .finding{margin-top:12px;padding:2px 0 2px 14px;border-left:3px solid var(--known)}
    .finding.unexpected{border-color:var(--bad)}
    .finding h3{font-size:16px;line-height:1.4;font-weight:600;margin:0;overflow-wrap:anywhere}
    .finding p{margin:3px 0 0;max-width:110ch}
    .shrinking{margin:10px 0 0;color:var(--soft);font-size:14px}
    .replay{display:flex;align-items:flex-start;gap:8px;margin:10px 0 0}
    .replay code{flex:0 1 auto;min-width:0;font-size:13px;line-height:1.5;padding:5px 10px;background:var(--card);border-radius:6px;overflow-wrap:anywhere}
    .replay button{flex:none}
    .growth{width:64px;height:15px;margin-left:8px;vertical-align:-2px;overflow:visible;border-bottom:1px solid var(--rule)}
    .growth polyline{fill:none;stroke:var(--accent);stroke-width:1.4;stroke-linejoin:round}
    """

  private static let figures = """
    figure{margin:14px 0 0;container-type:inline-size}
    figcaption{margin-top:10px;color:var(--soft);font-size:14px;max-width:110ch;overflow-wrap:anywhere}
    .run{position:relative;margin-bottom:14px;--c:var(--p)}
    .run .head>b{font-size:13px;font-weight:600;color:var(--soft)}
    .run .head>small{margin-left:10px;color:var(--soft);font-size:13px;overflow-wrap:anywhere}
    .lanes,.run ol{list-style:none;margin:0;padding:0}
    .lanes{margin:2px 0 4px 66px}
    .lanes li{position:relative;padding-left:calc(var(--l)*16px + 18px);font-size:13px;line-height:20px;font-weight:600;color:var(--c)}
    .lanes small{font-weight:400;color:var(--soft)}
    .lanes li::before{content:"";position:absolute;left:calc(var(--l)*16px + 7px);top:11px;width:9px;height:calc((var(--n) - var(--l))*20px - 7px);border:solid var(--rule);border-width:1px 0 0 1px}
    .p{--c:var(--p)}.m{--c:var(--m)}.a{--c:var(--a)}.f{--c:var(--f)}.q{--c:var(--q)}.t{--c:var(--t)}.o{--c:var(--o)}
    .run ol>li{position:relative;display:grid;grid-template-columns:66px minmax(0,1fr);--b:color-mix(in srgb,var(--c) 13%,var(--paper));outline-offset:-1px}
    .run ol>li::before{content:"";position:absolute;inset:0 auto 0 66px;width:calc(var(--n)*16px);background:repeating-linear-gradient(to right,transparent 0 7px,var(--rule) 7px 8px,transparent 8px 16px)}
    time{grid-column:1;padding:3px 10px 0 0;text-align:right;font-size:12px;line-height:19px;color:var(--soft);white-space:nowrap}
    .run li>div{grid-column:2;position:relative;z-index:2;margin:1px 0 1px calc(var(--n)*16px + 4px);align-self:start;padding:2px 8px;border-radius:4px;font-size:13.5px;line-height:1.42;overflow-wrap:anywhere}
    .run li p{margin:0}
    .run li p{color:var(--soft)}
    .run li>div::before{content:"";position:absolute;z-index:2;left:calc((var(--l,0) - var(--n))*16px - 1px);top:4px;bottom:4px;width:9px;border-radius:3px;background:var(--c)}
    .run li.ev>div::before{top:7px;bottom:auto;height:9px;border-radius:50%}
    .run li.o>div::before,.run li.ok>div::before{display:none}
    .run li.o>div{margin-left:4px;background:var(--card);color:var(--soft)}
    .run li:hover>div{background:var(--card)}
    .dv{color:var(--known)}
    .run li.mk>div::before{box-shadow:0 0 0 2px var(--paper),0 0 0 4px var(--known)}
    .run li.vx>div{color:var(--bad);font-weight:650;background:var(--badbg)}
    .run li.vx>div::before{background:var(--bad)}
    .run li.ok>div{color:var(--good);font-weight:600;background:var(--goodbg)}
    .run li.df>div{box-shadow:0 0 0 2px var(--accent)}
    .run li.df{margin-top:4px;margin-bottom:4px}
    .run em{display:block;font-style:normal;font-size:11.5px;font-weight:600;color:var(--accent)}
    .same{display:flex;margin:0 0 0 66px;color:var(--soft);font-size:13px;border-left:2px dotted var(--rule);padding:4px 0 4px 10px}
    .arrows{position:absolute;inset:0;width:100%;height:100%;z-index:1;pointer-events:none;overflow:visible}
    .arrows path{fill:none;stroke:var(--soft);stroke-width:1.3;opacity:.75}
    .arrows path.wake{stroke-dasharray:4 3}
    .arrows path.call{stroke:var(--f);stroke-dasharray:1.5 3;stroke-linecap:round;opacity:.95}
    .arrows path.on{stroke:var(--accent);opacity:1;stroke-width:2}
    .arrows marker path{fill:var(--soft);stroke:none}
    .code{margin-top:12px;font-size:12.5px;line-height:1.6}
    .code table{border-collapse:collapse;width:100%}
    .code caption{text-align:left;color:var(--soft);padding-top:4px}
    .code td{padding:0 10px 0 0;vertical-align:top;overflow-wrap:anywhere}
    .code td:first-child{color:var(--soft);text-align:right;width:1%;white-space:nowrap}
    .code .fn{color:var(--soft);width:34%}
    #tip{position:absolute;z-index:9;max-width:min(460px,calc(100vw - 24px));padding:9px 13px;background:var(--paper);border:1px solid var(--rule);border-radius:8px;box-shadow:0 6px 24px rgb(0 0 0/.18);font-size:13px;line-height:1.45;overflow-wrap:anywhere;pointer-events:none}
    #tip code{display:block;margin:4px 0;padding:3px 7px;background:var(--card);border-radius:4px;font-size:12px}
    #tip span{display:block;color:var(--soft)}
    """

  /// If a run is wide enough for its lanes, each lane is a column and each step a box in it.
  private static var wide: String {
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

  private static let print = """
    @media (max-width:560px){header,main{padding:0 12px}header{padding-top:16px}
    body{font-size:14.5px}details.variant[open]>:not(summary){margin-left:0}.finding{padding-left:10px}
    .lanes{margin-left:54px}.run ol>li{grid-template-columns:54px minmax(0,1fr)}.run ol>li::before{left:54px}.same{margin-left:54px}
    .code .fn{display:none}.filters input{max-width:none;flex-basis:100%}#open-all{margin-left:0}}
    @media (prefers-reduced-motion:no-preference){details[open]>summary{transition:background .1s}}
    @media print{.filters,.glance,.copy,#tip{display:none!important}body{font-size:11px;background:#fff}
    .subject,.run ol>li,.finding{break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
    """
}
