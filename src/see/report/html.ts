/**
 * Pieces of HTML for a report. Guarantee: every text of a row, a page or a file goes through `text`, which escapes and cuts it.
 * So a value cannot become markup, change the direction of reading, or fill the page.
 */
import { escape } from "#base/HtmlPage"
import type { Piece } from "#base/wordDiff"

const longest = 2000

/** A part of the page that is folded away. */
export interface Section {
  readonly id: string
  readonly title: string
  /** Its sum in a few words, beside the title. */
  readonly says: string
  readonly html: string
}

/** "2026-11-25 19:41:48", from the text of an instant. */
export const moment = (iso: string): string => iso.slice(0, 19).replace("T", " ")

/** A text of the data, escaped, and cut if it is very long. */
export const text = (value: string): string => escape(shown(value))

/** The same before it is escaped. Characters that change the direction of reading are shown by their numbers. */
export const shown = (value: string): string =>
  visible(value.length <= longest ? value : `${value.slice(0, longest - 1)}…`)

/** A text without a limit. */
export const plain = (value: string): string => escape(visible(value))

const visible = (value: string): string => value.replace(/[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g, numbered)

const numbered = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`

/** A link if the value is an http or https URL, otherwise text. */
export const link = (value: string): string => {
  const url = /^https?:\/\//i.test(value) && value.length <= longest ? URL.parse(value) : null
  return url === null
    ? text(value)
    : `<a href="${plain(url.href)}" rel="noopener noreferrer nofollow">${text(value)}</a>`
}

export interface Cell {
  readonly html: string
  /** number: at the right; text: it may be long, and its lines stay; name: it names its row. */
  readonly kind?: "number" | "text" | "name"
}

export const number = (html: string): Cell => ({ html, kind: "number" })

interface Row {
  readonly cells: ReadonlyArray<Cell>
  readonly isUnusual?: boolean
}

/** A table that scrolls by itself where it is wider than the page. The first cell of a row names it. */
export const table = (
  caption: string,
  head: ReadonlyArray<string | { readonly number: string }>,
  rows: ReadonlyArray<Row>
): string => {
  const heads = head.map((name) =>
    typeof name === "string"
      ? `<th scope="col">${text(name)}</th>`
      : `<th scope="col" class="n">${text(name.number)}</th>`
  )
  const body = rows.map(({ cells, isUnusual }) => {
    const own = cells.map(({ html, kind }, at) => {
      const name = kind === "number" ? ' class="n"' : kind === undefined ? "" : ` class="${kind}"`
      return at === 0 ? `<th scope="row"${name}>${html}</th>` : `<td${name}>${html}</td>`
    })
    return `<tr${isUnusual === true ? ' class="unusual"' : ""}>${own.join("")}</tr>`
  })
  return `<div class="scroll" role="region" aria-label="${text(caption)}" tabindex="0"><table><caption>${text(caption)}</caption>
<thead><tr>${heads.join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>`
}

/** A chart, and the table with the same figures below it. */
export const figure = (svg: string, figures: string): string =>
  `<figure>${svg}<figcaption><details><summary>The same figures as a table</summary>${figures}</details></figcaption></figure>`

export const pieces = (all: ReadonlyArray<Piece>): string =>
  all
    .map(({ kind, text: part }) => {
      switch (kind) {
        case "gap":
          return `<span class="gap" title="${part.length} characters that are the same"> … </span>`
        case "same":
          return text(part)
        case "removed":
          return `<del>${text(part)}</del>`
        case "added":
          return `<ins>${text(part)}</ins>`
      }
    })
    .join("")
