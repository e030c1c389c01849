/** One page of the site: its Markdown as HTML, between the list of all pages and the contents of this one. */

import { dirname, extname, join, relative } from "node:path"
import { Marked, type Tokens } from "marked"
import * as HtmlPage from "#base/HtmlPage"
import type { Highlight } from "./highlighter.ts"
import { addressOf } from "./writeSite.ts"

export interface Source {
  /** The path of the Markdown from the root of the checkout. */
  readonly name: string
  readonly text: string
}

/** What pages are made with. */
export interface Site {
  readonly sources: ReadonlyArray<Source>
  readonly highlight: Highlight
  /** Gets the paths of the files that pages lead to and that are not pages. */
  readonly others: Set<string>
}

export const sitePage = (source: Source, site: Site): string => {
  const headings: Array<Heading> = []
  const body = toHtml(source, site, headings)
  const top = headings.find(({ depth }) => depth === 1)?.text ?? "Millrace"
  const own = headings.filter(({ depth }) => depth === 2)
  return framed(source.name, site, {
    title: top,
    kind: kindOf(source),
    main: body,
    after:
      own.length < 2
        ? ""
        : `<nav class="own" aria-label="On this page"><ul>${own.map(({ html, id }) => `<li><a href="#${id}">${html}</a></li>`).join("")}</ul></nav>`
  })
}

interface Frame {
  readonly title: string
  /** How wide it is, by the style sheet. */
  readonly kind: "text" | "reference" | "landing"
  readonly main: string
  readonly after?: string
}

/** What all pages have around their text. */
export const framed = (name: string, site: Site, { after = "", kind, main, title }: Frame): string => {
  const up = "../".repeat(name.split("/").length - 1)
  return HtmlPage.page({
    title: title === "Millrace" ? title : `${title} - Millrace`,
    head: `<link rel="stylesheet" href="${up}style.css">\n<script src="${up}site.js" defer></script>\n`,
    body: `<a class="skip" href="#content">To the text</a>
<div class="frame ${kind}">
<header><a href="${up}index.html">Millrace</a> <span>from the web to the warehouse</span><div class="tools"></div></header>
<details class="pages"><summary>All pages</summary><nav aria-label="All pages">${allPages(name, site)}</nav></details>
<main id="content">
${main}</main>
${after}
</div>`
  })
}

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
  /** Without links, for a list of links. */
  readonly html: string
}

const kindOf = ({ name }: Source): "reference" | "text" => (name.startsWith("docs/reference/") ? "reference" : "text")

/** The Markdown as HTML, and its headings. */
export const toHtml = (source: Source, site: Site, headings: Array<Heading> = []): string =>
  new Marked({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens)
        const id = anchorOf(text)
        headings.push({ depth, id, text: plain(text), html: html.replaceAll(/<\/?a\b[^>]*>/g, "") })
        return `<h${depth} id="${id}">${html}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const to = linkOf(source.name, href, site)
        const text = this.parser.parseInline(tokens)
        return to === undefined ? text : `<a href="${HtmlPage.escape(to)}">${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const isHere = !/^[a-z]+:/.test(href)
        if (isHere) site.others.add(join(dirname(source.name), href))
        return `<img src="${HtmlPage.escape(href)}" alt="${HtmlPage.escape(text)}" loading="lazy">`
      },
      table(token: Tokens.Table) {
        // On a phone a row of the reference is a paragraph, whose cells say what they are of.
        const of = (at: number) => (kindOf(source) === "reference" ? (token.header[at]?.text ?? "") : "")
        const row = (cells: ReadonlyArray<Tokens.TableCell>, name: "td" | "th") =>
          `<tr>${cells
            .map(({ text, tokens }, at) =>
              cell(text === "" ? "td" : name, this.parser.parseInline(tokens), name === "td" ? of(at) : "")
            )
            .join("")}</tr>`
        // A table that is wider than the page is scrolled, also by the keyboard.
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`
      },
      code({ lang, text }: Tokens.Code) {
        const known = lang === undefined ? "" : ` data-language="${HtmlPage.escape(lang)}"`
        return `<pre tabindex="0"${known}><code>${site.highlight(text, lang)}\n</code></pre>\n`
      }
    }
  }).parse(source.text, { async: false })

const cell = (name: "td" | "th", html: string, of: string) =>
  `<${name}${of === "" ? "" : ` data-of="${HtmlPage.escape(of)}"`}>${html}</${name}>`

/** The list of `docs/README.md`, as it leads from this page, which it marks. */
const allPages = (name: string, site: Site): string => {
  const index = site.sources.find((source) => source.name === "docs/README.md")
  if (index === undefined) return ""
  const html = toHtml({ name: index.name, text: index.text.replace(/^# .*\n/, "") }, { ...site, others: new Set() })
  const own = addressOf(name)
  return html.replaceAll(/<(\/?)h2\b[^>]*>/g, "<$1h2>").replaceAll(/href="(?!https?:)([^"]*)"/g, (_, href: string) => {
    const target = join("docs", href)
    return `href="${relative(dirname(own), target)}"${target === own ? ' aria-current="page"' : ""}`
  })
}

/** Where a link leads on the site. A folder of code has no page there: its name is text. */
const linkOf = (from: string, href: string, { others, sources }: Site): string | undefined => {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const target = join(dirname(from), path)
  const page = [target, join(target, "README.md")].find((name) => sources.some((source) => source.name === name))
  if (page === undefined && extname(target) === "") return undefined
  if (page === undefined) others.add(target)
  const to = relative(dirname(addressOf(from)), page === undefined ? target : addressOf(page))
  return anchor === undefined ? to : `${to}#${anchor}`
}

/** As GitHub makes them, so that one link is right there and here. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")
