/**
 * What moves on a page at every check without being a change: counters, pictures that take turns, items that come back.
 *
 * Guarantee: a line is furniture only if it was seen to move. A counter has grown and a picture has changed in each of the last two
 * checks, and an item stood at the same place in one of the last ten. Prices, shares and measures are never counters, nor are
 * numbers that fall, small numbers (days, issues, pieces) and those in headings, tables and sentences.
 */
import { createHash } from "node:crypto"
import * as Meaning from "../Meaning.ts"
import { lineEdits } from "./lineEdits.ts"

/** A place of a page that has moved. */
export interface Moved {
  readonly key: string
  /** In how many checks without a break. */
  readonly times: number
  /** How many checks ago it moved; 0: in the last one. */
  readonly ago: number
  /** What items stood there: their hashes, the last one at the end. */
  readonly seen?: ReadonlyArray<string>
}

interface Settled {
  /** The earlier text with the furniture of the new one. */
  readonly markdown: string
  readonly moved: ReadonlyArray<Moved>
}

/** For how many checks a place is remembered, and how many places and items at most. */
const maxChecks = 10
const maxPlaces = 60
const maxItems = 10

/** How often a counter or a picture must have moved before. */
const enough = 2

export const settle = async (
  before: Meaning.Text,
  current: Meaning.Text,
  moved: ReadonlyArray<Moved>
): Promise<Settled> => {
  const aged = moved.flatMap((place) => {
    const isOver = place.ago + 1 >= maxChecks || (place.seen === undefined && place.ago > 0)
    return isOver ? [] : [{ ...place, ago: place.ago + 1 }]
  })
  if (before.markdown === current.markdown) return { markdown: before.markdown, moved: aged }
  const known = new Map(aged.map((place) => [place.key, place]))
  const texts = Meaning.linesOf(before).map(({ text }) => text)
  let isSettled = false
  for (const { at, now, place } of await movesOf(before, current)) {
    const last = known.get(place.key)
    const times = last?.ago === 1 ? last.times + 1 : 1
    const seen =
      place.item === undefined ? undefined : [...new Set([...(last?.seen ?? []), ...place.item])].slice(-maxItems)
    const isFurniture = place.item === undefined ? times > enough : last?.seen?.includes(place.item[1]) === true
    known.delete(place.key)
    known.set(place.key, { key: place.key, times, ago: 0, ...(seen === undefined ? {} : { seen }) })
    if (!isFurniture) continue
    texts[at] = now
    isSettled = true
  }
  return { markdown: isSettled ? texts.join("\n") : before.markdown, moved: [...known.values()].slice(-maxPlaces) }
}

interface Move {
  /** The number of the line in the earlier text, and the line now. */
  readonly at: number
  readonly now: string
  readonly place: Place
}

interface Place {
  readonly key: string
  /** The hashes of the item before and now; undefined: a counter or a picture. */
  readonly item?: readonly [before: string, now: string]
}

/** The lines that one other line has replaced, and that may be furniture. */
const movesOf = async (before: Meaning.Text, current: Meaning.Text): Promise<ReadonlyArray<Move>> => {
  const [were, are] = [Meaning.linesOf(before), Meaning.linesOf(current)]
  const meanings = (lines: ReadonlyArray<Meaning.Line>) => lines.map(({ meaning }) => meaning)
  const edits = await lineEdits(meanings(were), meanings(are))
  const moves: Array<Move> = []
  let [from, to] = [0, 0]
  edits.forEach(({ count, kind }, i) => {
    const next = edits[i + 1]
    const pairs = kind === "removed" && next?.kind === "added" && next.count === count ? count : 0
    for (let k = 0; k < pairs; k++) {
      const [was, is] = [were[from + k], are[to + k]]
      const place = was === undefined || is === undefined ? undefined : placeOf(was, is, were[from + k - 1])
      if (place !== undefined) moves.push({ at: from + k, now: is?.text ?? "", place })
    }
    if (kind !== "added") from += count
    if (kind !== "removed") to += count
  })
  return moves
}

const placeOf = (was: Meaning.Line, is: Meaning.Line, above: Meaning.Line | undefined): Place | undefined => {
  const [before, now] = [was.meaning, is.meaning]
  if (statement.test(before) || statement.test(now)) return undefined
  const around = (above?.meaning ?? "").replaceAll(/\d+/g, "0")
  if (isPicture(before) && isPicture(now)) return { key: hashOf("picture", around) }
  const [from, to] = [before, now].map((line) => target.exec(line)?.[1])
  if (from !== undefined && to !== undefined && from !== to)
    return { key: hashOf("item", around), item: [hashOf(before), hashOf(now)] }
  const label = before.replaceAll(number, "0")
  const isGrowing = label === now.replaceAll(number, "0") && isCounter(label) && hasGrown(before, now)
  return isGrowing ? { key: hashOf("counter", label, around) } : undefined
}

/** A heading, a row of a table, a numbered item or a sentence: its words and numbers are content. */
const statement = /^(?:#{1,6}\s|\||\d+[.)]\s)|[.!?]$/
const target = /\]\(([^)\s]+)/

const isPicture = (line: string): boolean =>
  line.includes("![") && !/[\p{L}\d]/u.test(line.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "").replaceAll(/\]\([^)]*\)/g, ""))

/** A whole number, with its groups of three digits. */
const number =
  /(?<![\p{L}\d.,])\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?![\p{L}\d]|[.,]\d)|(?<![\p{L}\d.,])\d+(?![\p{L}\d]|[.,]\d)/gu

/** Whether a line is a number and what it counts: a few words without a currency, a share or another number. */
const isCounter = (label: string): boolean =>
  label.length <= maxLabel && !/[\p{Sc}%‰°]|\b[A-Z]{3}\b|[1-9]/u.test(label) && label.split("0").length === 2

const maxLabel = 60

const hasGrown = (before: string, now: string): boolean => {
  const [was, is] = [before, now].map((line) => Number((line.match(number)?.[0] ?? "").replaceAll(/\D/g, "")))
  return was !== undefined && is !== undefined && is > was && was >= smallest
}

/** Smaller numbers are days of a month, issues and pieces. */
const smallest = 100

const hashOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join("\0")).digest("base64url").slice(0, 8)
