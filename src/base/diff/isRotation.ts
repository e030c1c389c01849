/**
 * Whether two texts of a page differ only in the position of one item, so that the new text says the same as the old one.
 *
 * There are two cases: an item of a list has moved, or a place such as "featured" or "tip of the day" shows another item that
 * is also elsewhere on the page. An item must have a link or at least five words: "sold out" is not an item. The order of
 * numbered items and of paragraphs has a meaning, so moving these is a change.
 */
import * as Meaning from "../Meaning.ts"

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
