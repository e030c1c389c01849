/**
 * Whether a page has changed in meaning since it was last read, and how.
 *
 * If fields of a page are watched, the page has changed when a field has changed; if its text is watched, when its
 * meaning has changed (`Meaning`) and more than one item has taken another place (`isRotation`). The diff leaves noise out: it shows a line only if the meaning of the line has
 * changed.
 */

import { isRotation } from "./diff/isRotation.ts"
import * as JsonDiff from "./JsonDiff.ts"
import * as Meaning from "./Meaning.ts"
import { type UnifiedDiff, unified } from "./unifiedDiff.ts"

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

export const same: PageDiff = { isChanged: false, text: undefined, fields: undefined }

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
