/**
 * Whether two texts of a page differ only in the place of one item, so that a reader finds in the new one all that the old
 * one says, and nothing else.
 *
 * Two things are that: an item of a list that stands in another place of the page, and a place such as "featured" or "tip
 * of the day" that shows another one of the items that stand elsewhere on the page. An item is known by its link or by five
 * words: "sold out" is none, however often it stands there. Numbered items are in an order that counts, as are the
 * paragraphs of a text.
 */
import * as Meaning from "./Meaning.ts"

export const isRotation = (previous: Meaning.Text, current: Meaning.Text): boolean => {
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

/** The most lines that one item has. */
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

/** Whether one item of a list went from one end of what differs to the other, and all between them is as it was. */
const isMove = (before: Lines, after: Lines): boolean => {
  if (before.length !== after.length || before.length < 2) return false
  const isOf = (from: Lines, to: Lines): boolean =>
    from[0]?.meaning === to.at(-1)?.meaning &&
    isListed(from[0]?.text ?? "") &&
    from.slice(1).every(({ meaning }, at) => meaning === to[at]?.meaning)
  return isOf(before, after) || isOf(after, before)
}

/** An item of a list without numbers. */
const isListed = (text: string): boolean => /^\s*[-*+•]\s+\S/.test(text)

/** Whether lines are one item, each of them among the other lines of the page, once. */
const isOneOf = (item: Lines, rest: Lines): boolean =>
  item.length > 0 &&
  item.length <= maxLines &&
  item.every(({ meaning, text }) => {
    const own = bare(meaning)
    const isKnown = /\]\([^)]+\)/.test(own) || own.split(/\s+/).length >= 5
    return isKnown && !/^\s*\d+[.)]\s/.test(text) && rest.filter((line) => bare(line.meaning) === own).length === 1
  })

/** A line without what marks it as a heading, an item or a quotation. */
const bare = (meaning: string): string => meaning.replace(/^(?:[#>\s]|[-*+•]\s)+/, "")
