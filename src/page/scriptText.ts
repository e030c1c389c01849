/**
 * The text that a page has only in the data of its scripts, such as the article of a page that a script was going to write.
 *
 * Guarantee: prose counts and nothing else, by its letters and blanks in any script: code, styles and lists of addresses are no prose.
 * What the page shows anyway, as most pages with such data do, does not count. Takes linear time.
 */

import { Counts } from "./content/Counts.ts"

/** Cheap: whether the scripts are long enough to be looked at. `scripts`: their length. */
export const mayHoldText = (scripts: number, markdown: string): boolean =>
  scripts >= fewest && scripts > markdown.length

/** A warning for a page whose scripts have more text than it shows; undefined: they have not. */
export const scriptTextWarning = (html: string, markdown: string): string | undefined => {
  const shown = lettersOf(markdown)
  let letters = 0
  const words = new Counts()
  for (const text of new Set(stringsIn(html))) {
    const own = lettersOf(text)
    if (isShown(own, shown)) continue
    letters += own.length
    words.add(text, false, false)
  }
  if (letters < fewest || letters < shown.length * times) return undefined
  return `the scripts of the page have a text of ${words.words} words that the page does not show: it is not read`
}

/** The letters of a text that is longer than a notice or a description. */
const fewest = 400
/** How much longer the text of the scripts is: reviews and related items are often only there, and the page has its own text. */
const times = 2
/** A shorter string is a label or a message. */
const shortest = 120

/** The strings of the scripts that are prose. */
const stringsIn = function* (html: string): Generator<string> {
  for (const code of scriptsIn(html)) {
    for (let from = code.indexOf('"'); from !== -1; ) {
      const to = endOfString(code, from + 1)
      const text = to - from > shortest ? decoded(code.slice(from + 1, to)) : ""
      const isText = isProse(text)
      if (isText) yield text
      // A long part that is no prose may be the code between two strings: then its end is the start of the next one.
      from = code.indexOf('"', isText || to - from <= shortest ? to + 1 : to)
    }
  }
}

const scriptsIn = function* (html: string): Generator<string> {
  for (const part of html.split(scriptStart).slice(1)) {
    const [code = ""] = part.split(scriptEnd, 1)
    yield code
  }
}

const scriptStart = /<script\b/i
const scriptEnd = /<\/script/i

const endOfString = (code: string, from: number): number => {
  for (let at = code.indexOf('"', from); at !== -1; at = code.indexOf('"', at + 1)) {
    let slashes = 0
    while (code.charCodeAt(at - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return at
  }
  return code.length
}

/** A string as the script would have it, without the tags in it. */
const decoded = (written: string): string => {
  let text = written
  try {
    text = String(JSON.parse(`"${written}"`))
  } catch {
    // A string of JavaScript that is not JSON, or no string: its letters tell.
  }
  return text.replaceAll(/<[^<>]*>/g, " ")
}

const isProse = (text: string): boolean => {
  if (text.length < shortest) return false
  const clean = text.replaceAll(/[^\p{L}\p{M}\s]+/gu, "")
  return clean.length >= text.length * mostlyLetters && (/\S\s+\S+\s+\S/.test(clean) || !/[a-z]{40}/i.test(clean))
}

/** Prose has about 3% of signs and digits. Styles, code and data have a fifth. */
const mostlyLetters = 0.9

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{M}]+/gu, "")

/** Whether one of three places of a text stands in the letters of the page. */
const isShown = (own: string, shown: string): boolean =>
  [0.25, 0.5, 0.75].some((share) => {
    const at = Math.floor(own.length * share)
    return shown.includes(own.slice(at, at + sample))
  })

const sample = 20
