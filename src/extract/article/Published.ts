/**
 * When an article was published and changed: what is declared, else the times that the page shows near its headline.
 *
 * A date is given as declared if that is ISO, and otherwise as a day. Only dates before the text or in it are used, so
 * the time of a comment or of another article is not taken.
 */

import { contentOf, type Element } from "../../html/Dom.ts"
import type { Source } from "../Candidates.ts"
import type { Page } from "../read/Page.ts"
import * as Day from "../value/Day.ts"
import * as Instant from "../value/Instant.ts"
import type { Said } from "./Declared.ts"

/** A date-time where one is written, else a day. */
export const normal = (said: Said | undefined, language: string | undefined): Said | undefined => {
  if (said === undefined) return undefined
  const text = said.text.slice(0, maxDate)
  const known = iso.exec(text)
  // Machines write the first day of their time where there is none.
  if (known?.[1] !== undefined)
    return /^(?:0|1970-01-01)/.test(known[1]) ? undefined : { text: known[1], source: said.source }
  const options = language === undefined ? {} : { language }
  const written = /\d:\d\d/.test(text) ? Instant.parse(text, options) : Day.parse(text, options)
  return written === undefined ? undefined : { text: written, source: said.source }
}

/** The first date that the page shows around its headline or in its article. */
export const shown = (page: Page, from: number, to: number, language: string | undefined): Said | undefined => {
  let weak: Said | undefined
  for (const element of page.elements) {
    if (element.from < from || !element.seen) continue
    if (element.from > to) break
    if (element.to - element.from > maxElement) continue
    const said = (text: string): Said | undefined => normal({ text, source: sourceOf(page, element) }, language)
    if (element.name === "time") {
      const found = said(element.attributes.get("datetime") ?? contentOf(element, maxDate))
      if (found !== undefined) return found
    } else if (weak === undefined && isNamedDate(element)) {
      const text = contentOf(element, maxDate)
      if (text.length < maxDate) weak = said(text)
    }
  }
  return weak
}

/** The day in an address: ".../2026/03/14/..." or ".../2026-03-14-...". */
export const inAddress = (url: string, source: Source): Said | undefined => {
  const found = /[/-](20[0-4]\d|19[89]\d)[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?=[/-]|$)/.exec(url)
  return found === null ? undefined : { text: `${found[1]}-${found[2]}-${found[3]}`, source }
}

const maxDate = 120

/** An element longer than this holds more than a date. */
const maxElement = 2000

const iso = /^\s*(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?Z|\s?[+-]\d{2}:?\d{2})?)?)\s*$/

const isNamedDate = ({ attributes }: Element): boolean => {
  const names = `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`
  return names.length > 1 && names.length < 500 && /date|time(?!line)|publish|posted/i.test(names)
}

const sourceOf = (page: Page, element: Element): Source => page.source("text", element)
