/**
 * Whether a page has changed in meaning since it was last read, and how.
 *
 * If fields of a page are watched, the page has changed when a field has changed; if its text is watched, when its
 * meaning has changed (`Meaning`) and more than one item has taken another place (`isRotation`). The diff leaves noise out: it shows a line only if the meaning of the line has
 * changed.
 */

import * as JsonDiff from "./JsonDiff.ts"
import * as Meaning from "./Meaning.ts"
import { type UnifiedDiff, unified } from "./unifiedDiff.ts"

export { type Moved, settle } from "./diff/Furniture.ts"

export interface Version extends Meaning.Text {
  /** Data of the page, where fields are watched. */
  readonly json?: JsonDiff.Json | undefined
}

/** What is watched: the text, fields, or both. */
export interface Watched {
  readonly text: boolean
  readonly fields: boolean
}

export interface PageDiff {
  readonly isChanged: boolean
  /** The changes of the text, where it was watched and can be compared line by line. */
  readonly text: UnifiedDiff | undefined
  readonly fields: Readonly<Record<string, JsonDiff.FieldChange>> | undefined
}

const same: PageDiff = { isChanged: false, text: undefined, fields: undefined }

export const between = async (previous: Version, current: Version, watched: Watched): Promise<PageDiff> => {
  const fields = watched.fields ? JsonDiff.of(previous.json ?? null, current.json ?? null) : undefined
  const hasFields = fields !== undefined && Object.keys(fields).length > 0
  const hasText = watched.text && !Meaning.isSame(previous, current) && !isRotation(previous, current)
  if (!hasFields && !hasText) return same
  return {
    isChanged: true,
    text: hasText ? await shown(previous, current) : undefined,
    fields: hasFields ? fields : undefined
  }
}

/** The change, line by line, without what is noise on either side. */
const shown = (previous: Version, current: Version): Promise<UnifiedDiff | undefined> => {
  const lines = [previous, current].flatMap(Meaning.linesOf)
  const known = new Map(lines.map(({ meaning, text }) => [text.trimEnd(), meaning]))
  const meaningOf = (text: string): string => {
    const found = known.get(text)
    if (found !== undefined) return found
    const meaning = Meaning.line(text)
    known.set(text, meaning)
    return meaning
  }
  return unified(written(previous), written(current), meaningOf)
}

/** The page as text: a title that differs is a change like any other. */
const written = (page: Version): string =>
  [
    ...[page.title, page.description].flatMap((text) => (text === undefined || text === "" ? [] : [text, ""])),
    ...Meaning.linesOf(page).map(({ text }) => text.trimEnd()),
    ""
  ].join("\n")

/**
 * Whether two texts of a page differ only in the position of one item, so that the new text says the same as the old one.
 *
 * There are two cases: an item of a list has moved, or a place such as "featured" or "tip of the day" shows another item that
 * is also elsewhere on the page. An item must have a link or at least five words: "sold out" is not an item. The order of
 * numbered items and of paragraphs has a meaning, so moving these is a change.
 */
const isRotation = (previous: Meaning.Text, current: Meaning.Text): boolean => {
  if (headOf(previous) !== headOf(current)) return false
  const [before, after] = [Meaning.linesOf(previous), Meaning.linesOf(current)]
  const start = sharedStart(before, after)
  const end = sharedEnd(before.slice(start), after.slice(start))
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  if (isMove(removed, added)) return true
  const rest = [...after.slice(0, start), ...after.slice(after.length - end)]
  return isOneOf(removed, rest) && isOneOf(added, rest)
}

type Lines = ReadonlyArray<Meaning.Line>

/** The maximum number of lines of an item. */
const maxLines = 3

const headOf = ({ description, title }: Meaning.Text): string =>
  `${Meaning.line(title ?? "")}\n${Meaning.line(description ?? "")}`

const sharedStart = (before: Lines, after: Lines): number => {
  const most = Math.min(before.length, after.length)
  let length = 0
  while (length < most && before[length]?.meaning === after[length]?.meaning) length += 1
  return length
}

const sharedEnd = (before: Lines, after: Lines): number => sharedStart(before.toReversed(), after.toReversed())

/** Whether the lines differ only because one item moved from their start to their end, or from their end to their start. */
const isMove = (before: Lines, after: Lines): boolean => {
  if (before.length !== after.length || before.length < 2) return false
  const isOf = (from: Lines, to: Lines): boolean =>
    from[0]?.meaning === to.at(-1)?.meaning &&
    isListed(from[0]?.text ?? "") &&
    from.slice(1).every(({ meaning }, at) => meaning === to[at]?.meaning)
  return isOf(before, after) || isOf(after, before)
}

/** Whether a line is an item of a list without numbers. */
const isListed = (text: string): boolean => /^\s*[-*+•]\s+\S/.test(text)

/** Whether lines are one item, and each of them is exactly once among the other lines of the page. */
const isOneOf = (item: Lines, rest: Lines): boolean =>
  item.length > 0 &&
  item.length <= maxLines &&
  item.every(({ meaning, text }) => {
    const own = bare(meaning)
    const isKnown = /\]\([^)]+\)/.test(own) || own.split(/\s+/).length >= 5
    return isKnown && !/^\s*\d+[.)]\s/.test(text) && rest.filter((line) => bare(line.meaning) === own).length === 1
  })

/** A line without the marks of a heading, an item or a quotation. */
const bare = (meaning: string): string => meaning.replace(/^(?:[#>\s]|[-*+•]\s)+/, "")
