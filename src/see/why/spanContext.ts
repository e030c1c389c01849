/**
 * A span of a page's HTML with the text around it, and whether the span still has the value.
 *
 * A page may have changed since its value was read. The span then marks other text, which is shown with a note.
 */
import type { Context } from "./WhyModel.ts"

const around = 200
const longestMarked = 600

export const spanContext = (
  html: string,
  [from, to]: readonly [number, number],
  value: string | null,
  source: string
): Context => {
  const marked = html.slice(from, to)
  return {
    before: html.slice(Math.max(0, from - around), from).toWellFormed(),
    marked: (marked.length <= longestMarked ? marked : `${marked.slice(0, longestMarked - 1)}…`).toWellFormed(),
    after: html.slice(to, to + around).toWellFormed(),
    source,
    matches: value !== null && says(marked, value)
  }
}

/** Whether a piece of HTML has a value. Only letters and digits are compared, with markup and without it. */
const says = (marked: string, value: string): boolean => {
  const wanted = bare(value)
  return wanted !== "" && [marked, unescaped(marked), withoutTags(marked)].some((text) => bare(text).includes(wanted))
}

const bare = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

const withoutTags = (html: string): string => html.replace(/<[^>]*>/g, " ")

/** Without the escapes of JSON strings and HTML references, which declared data uses. */
const unescaped = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]/g, " ")
    .replace(/&(?:amp|#38);/g, "&")
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&(?:apos|#39);/g, "'")
