/// The style sheet of the report.
enum HTMLStyle {
    /// SHA-256 of ``sheet`` in base64. The document's Content-Security-Policy permits only this style sheet.
    static let digest = "vx04z5yQrqrg5YKPlMJUedDN9QHqCekrFeTZxsYT30s="

    static let sheet: StaticString = """
        :root { --back: #ffffff; --raised: #f6f8fa; --text: #1f2328; --quiet: #57606a; --line: #d0d7de; --link: #0550ae;
          --good: #116329; --good-back: #dafbe1; --bad: #a40e26; --bad-back: #ffebe9; --careful: #7d4e00;
          --careful-back: #fff3c4; --neutral: #424a53; --neutral-back: #eaeef2; color-scheme: light dark }
        @media (prefers-color-scheme: dark) {
          :root { --back: #0d1117; --raised: #161b22; --text: #e6edf3; --quiet: #9da7b3; --line: #343b44; --link: #79c0ff;
            --good: #7ee787; --good-back: #12281b; --bad: #ffa198; --bad-back: #3c1618; --careful: #e3b341;
            --careful-back: #2e2410; --neutral: #b7c0ca; --neutral-back: #262c34 } }
        * { box-sizing: border-box }
        html { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
          background: var(--back); color: var(--text); scroll-padding-top: 1rem; -webkit-text-size-adjust: 100% }
        body { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; overflow-wrap: anywhere }
        h1 { font-size: 1.9rem; line-height: 1.2; margin: .25rem 0 .5rem } h1.bad { color: var(--bad) } h1.good { color: var(--good) }
        h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line) }
        h3 { font-size: 1.05rem; margin: 1.25rem 0 .5rem } h4 { font-size: 1rem; margin: 1.5rem 0 .5rem }
        p { margin: .35rem 0; max-width: 52rem } a { color: var(--link); text-underline-offset: .15em }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
        small { display: block; font-size: .8125rem; font-weight: normal; color: var(--quiet) }
        code { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
        bdi { white-space: pre-wrap } ol, ul { margin: 0; padding: 0; list-style: none }
        .source, .quiet, footer { color: var(--quiet); font-size: .875rem } .source { margin: 0 }
        .summary { font-size: 1rem } .gap { color: var(--careful); font-weight: 600 }
        .number { font-variant-numeric: tabular-nums; white-space: nowrap }
        .counts { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0 }
        nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0 } nav a { padding: .2rem 0 }
        .badge { display: inline-block; overflow-wrap: break-word; font-size: .8125rem; font-weight: 600; line-height: 1.3; padding: .1rem .45rem;
          border-radius: .25rem; color: var(--neutral); background: var(--neutral-back) }
        .badge.good { color: var(--good); background: var(--good-back) }
        .badge.bad { color: var(--bad); background: var(--bad-back) }
        .badge.careful { color: var(--careful); background: var(--careful-back) }
        .failures > li { border-left: .25rem solid var(--bad); background: var(--raised); padding: .6rem .9rem; margin: .75rem 0;
          border-radius: 0 .25rem .25rem 0; break-inside: avoid }
        .failures > li.careful { border-color: var(--careful) } .failures > li.neutral { border-color: var(--neutral) }
        .host { font-weight: 600; font-size: 1rem }
        .step { padding-left: .75rem; border-left: 2px solid var(--line) }
        .note { color: var(--careful) }
        .scroll { overflow-x: auto; margin: .75rem 0 }
        table { border-collapse: collapse; width: 100% }
        th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line) }
        th, td { overflow-wrap: break-word } tbody th { overflow-wrap: anywhere; min-width: 10rem }
        thead th { font-size: .8125rem; color: var(--quiet); vertical-align: bottom }
        tbody th { font-weight: normal } tfoot td { border: 0; padding-top: .1rem }
        .survival { min-width: 44rem } .survival td, .survival thead th + th { width: 17% }
        .survival .group th { font-weight: 600; padding-top: 1rem; background: none }
        .expiry { min-width: 42rem } .expiry .badge { white-space: nowrap } .expiry .line { width: 34%; padding-right: 0 }
        .chart { min-width: 26rem } .chart .line { width: 40% } .chart th { width: 30% }
        .hosts { min-width: 34rem } .pins { min-width: 40rem } .pins tbody th { width: 50% }
        .certificates > li { border-top: 1px solid var(--line); padding: .5rem 0; break-inside: avoid }
        .certificate { max-width: none } .facts { font-size: .875rem; margin: .5rem 0 }
        svg { display: block } svg .bar { fill: var(--neutral) } svg.good .bar, svg.good .end { fill: var(--good) }
        svg.bad .bar, svg.bad .end { fill: var(--bad) } svg.careful .bar, svg.careful .end { fill: var(--careful) }
        svg .grid { stroke: var(--line) } tfoot svg text { fill: var(--quiet); font-size: .75rem }
        .chain svg { max-width: 100%; min-width: 30rem; height: auto }
        .chain .box { fill: var(--raised); stroke: var(--quiet) } .chain .anchor { stroke-width: 3 }
        .chain .match { stroke: var(--good) } .chain .text { fill: var(--text) } .chain .quiet { fill: var(--quiet) }
        .chain .line { stroke: var(--quiet); fill: none }
        .detail { border: 1px solid var(--line); border-radius: .375rem; margin: .75rem 0; padding: 0 1rem }
        .detail > summary { padding: .6rem 0; cursor: pointer } .detail[open] > summary { border-bottom: 1px solid var(--line) }
        .detail > summary h3 { display: inline; margin: 0 }
        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .4rem 1.5rem; margin: .5rem 0 }
        .certificates .pin { grid-column: span 2 }
        dt { font-size: .8125rem; color: var(--quiet) } dd { margin: 0 }
        footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line) }
        @media (max-width: 40rem) { .certificates .pin { grid-column: auto } body { padding: 1rem .75rem 2rem } h1 { font-size: 1.5rem } .detail { padding: 0 .75rem } }
        @media print {
          :root { --back: #ffffff; --raised: #ffffff; --text: #000000; --quiet: #3d444d; --line: #b1bac4; --link: #000000;
            --good: #0b4f1f; --good-back: #ffffff; --bad: #8b0820; --bad-back: #ffffff; --careful: #633c01;
            --careful-back: #ffffff; --neutral: #31373d; --neutral-back: #ffffff }
          html { font-size: 10pt; color-scheme: light } body { max-width: none; padding: 0 } nav { display: none }
          .badge { padding: 0 } .scroll { overflow: visible } table { min-width: 0 !important } .chain svg { min-width: 0 }
          .detail { border: 0; padding: 0; break-before: auto } .detail::details-content { content-visibility: visible; block-size: auto }
          tr, .chain, dl { break-inside: avoid } h2, h3, h4 { break-after: avoid } }
        """
}
