/**
 * Differences of a table as one page of HTML that needs nothing else: no script, no other file, no request.
 *
 * Every text of a row is data and is escaped; the page's own policy forbids it to load or run anything.
 */
import * as HtmlPage from "#base/HtmlPage"
import { escape } from "#base/HtmlPage"
import type { Piece } from "#base/wordDiff"

interface Heading {
  readonly title: string
  /** Lines below it, in words. */
  readonly lines: ReadonlyArray<string>
  readonly counts: ReadonlyArray<readonly [name: string, count: number]>
}

interface Entry {
  readonly kind: "added" | "removed" | "changed" | "written"
  /** What names the row; a URL of the web becomes a link. */
  readonly key: ReadonlyArray<readonly [name: string, value: string]>
  readonly fields: ReadonlyArray<{ readonly name: string; readonly pieces: ReadonlyArray<Piece> }>
}

/** The page up to its first entry. */
export const begin = ({ counts, lines, title }: Heading): string => `${HtmlPage.begin({
  title,
  style,
  policy: "default-src 'none'; style-src 'unsafe-inline'",
  head: HtmlPage.noReferrer
})}<header>
<h1>${escape(title)}</h1>
${lines.map((line) => `<p>${escape(line)}</p>`).join("\n")}
<ul class="counts">${counts.map(([name, count]) => `<li class="${escape(name)}"><b>${count.toLocaleString("en-US")}</b> ${escape(name)}</li>`).join("")}</ul>
</header>
<main>
`

export const entry = ({ fields, key, kind }: Entry): string => {
  const rows = fields.map(
    ({ name, pieces }) => `<tr><th>${escape(name)}</th><td>${pieces.map(piece).join("")}</td></tr>`
  )
  return `<section class="${kind}">
<h2><span>${kind}</span> ${key.map(([name, value]) => keyPart(name, value, key.length)).join(" ")}</h2>
${rows.length === 0 ? "" : `<table>${rows.join("\n")}</table>\n`}</section>
`
}

export const end = (note: string): string =>
  `${note === "" ? "" : `<p class="note">${escape(note)}</p>\n`}</main>\n${HtmlPage.end}`

const keyPart = (name: string, value: string, parts: number): string => {
  const shown = /^https?:\/\//i.test(value)
    ? `<a href="${escape(value)}" rel="noopener noreferrer nofollow">${escape(value)}</a>`
    : escape(value)
  return parts === 1 ? shown : `<small>${escape(name)}</small> ${shown}`
}

const piece = ({ kind, text }: Piece): string => {
  if (kind === "gap") return `<span class="gap" title="${text.length} characters that are the same"> … </span>`
  if (kind === "same") return escape(text)
  return kind === "removed" ? `<del>${escape(text)}</del>` : `<ins>${escape(text)}</ins>`
}

const style = `
:root{color-scheme:light dark;--line:#8884;--add:#1a7f3722;--del:#cf222e22}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem}
h1{font-size:1.4rem}h2{font-size:1rem;margin:0;overflow-wrap:anywhere}
p{margin:.2rem 0}.counts{display:flex;gap:1.5rem;list-style:none;padding:0}
section{border:1px solid var(--line);border-left-width:4px;border-radius:4px;margin:.8rem 0;padding:.6rem .8rem}
section.added{border-left-color:#1a7f37}section.removed{border-left-color:#cf222e}
section.changed,section.written{border-left-color:#9a6700}
h2 span{border:1px solid var(--line);border-radius:3px;font-size:.75rem;font-weight:400;padding:0 .3rem}
table{border-collapse:collapse;margin-top:.4rem;width:100%}
th{font-weight:600;padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top;white-space:nowrap;width:1%}
td{overflow-wrap:anywhere;padding:.2rem 0;white-space:pre-wrap}
ins{background:var(--add);text-decoration:underline #1a7f37}del{background:var(--del);text-decoration:line-through #cf222e}
.gap,small,.note{opacity:.6}`
