/** One page of the site: its Markdown as HTML, between the list of all pages and the list of its own headings. */

import { dirname, extname, join, relative } from "node:path"
import { Marked, type Tokens } from "marked"
import * as HtmlPage from "#base/HtmlPage"
import { addressOf } from "./writeSite.ts"

export interface Source {
  /** The path of the Markdown from the root of the checkout. */
  readonly name: string
  readonly text: string
}

/** `others` gets the paths of the files that the page leads to and that are not pages. */
export const sitePage = (source: Source, all: ReadonlyArray<Source>, others: Set<string>): string => {
  const known = new Set(all.map(({ name }) => name))
  const headings: Array<Heading> = []
  const body = toHtml(source, known, headings, others)
  const top = headings.find(({ depth }) => depth === 1)?.text ?? "Millrace"
  const own = headings.filter(({ depth }) => depth === 2)
  const up = "../".repeat(source.name.split("/").length - 1)
  return HtmlPage.page({
    title: top === "Millrace" ? top : `${top} - Millrace`,
    head: `<link rel="stylesheet" href="${up}style.css">\n`,
    body: `<a class="skip" href="#content">To the text</a>
<header><a href="${up}index.html">Millrace</a> <span>from the web to the warehouse</span></header>
<details class="pages"><summary>All pages</summary><nav aria-label="All pages">${allPages(source, all, known)}</nav></details>
<main id="content">
${body}</main>
${own.length < 2 ? "" : `<nav class="own" aria-label="On this page"><ul>${own.map(({ html, id }) => `<li><a href="#${id}">${html}</a></li>`).join("")}</ul></nav>`}`
  })
}

interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
  /** Without links, for a list of links. */
  readonly html: string
}

const toHtml = (source: Source, known: ReadonlySet<string>, headings: Array<Heading>, others: Set<string>): string =>
  new Marked({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens)
        const id = anchorOf(text)
        headings.push({ depth, id, text: plain(text), html: html.replaceAll(/<\/?a\b[^>]*>/g, "") })
        return `<h${depth} id="${id}">${html}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const to = linkOf(source.name, href, known, others)
        const text = this.parser.parseInline(tokens)
        return to === undefined ? text : `<a href="${HtmlPage.escape(to)}">${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        if (!/^[a-z]+:/.test(href)) others.add(join(dirname(source.name), href))
        return `<img src="${HtmlPage.escape(href)}" alt="${HtmlPage.escape(text)}" loading="lazy">`
      },
      table(token: Tokens.Table) {
        const row = (cells: ReadonlyArray<Tokens.TableCell>, name: "td" | "th") =>
          `<tr>${cells.map(({ text, tokens }) => cell(text === "" ? "td" : name, this.parser.parseInline(tokens))).join("")}</tr>`
        // A table that is wider than the page is scrolled, also by the keyboard.
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`
      },
      code({ lang, text }: Tokens.Code) {
        return `<pre tabindex="0"${lang === undefined ? "" : ` data-language="${HtmlPage.escape(lang)}"`}><code>${HtmlPage.escape(text)}\n</code></pre>\n`
      }
    }
  }).parse(source.text, { async: false })

const cell = (name: "td" | "th", html: string) => `<${name}>${html}</${name}>`

/** The list of `docs/README.md`, as it leads from this page. */
const allPages = (source: Source, all: ReadonlyArray<Source>, known: ReadonlySet<string>): string => {
  const index = all.find(({ name }) => name === "docs/README.md")
  if (index === undefined) return ""
  const html = toHtml({ name: index.name, text: index.text.replace(/^# .*\n/, "") }, known, [], new Set())
  const from = dirname(addressOf(source.name))
  return html
    .replaceAll(/<(\/?)h2\b[^>]*>/g, "<$1h2>")
    .replaceAll(/href="(?!https?:)([^"]*)"/g, (_, href: string) => `href="${relative(from, join("docs", href))}"`)
}

/** Where a link leads on the site. A folder of code has no page there: its name is text. */
const linkOf = (from: string, href: string, known: ReadonlySet<string>, others: Set<string>): string | undefined => {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const target = join(dirname(from), path)
  const page = [target, join(target, "README.md")].find((name) => known.has(name))
  if (page === undefined && extname(target) === "") return undefined
  if (page === undefined) others.add(target)
  const to = relative(dirname(addressOf(from)), page === undefined ? target : addressOf(page))
  return anchor === undefined ? to : `${to}#${anchor}`
}

/** As GitHub makes them, so that one link is right there and here. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")
