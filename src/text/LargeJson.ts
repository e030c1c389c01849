/**
 * JSON text of objects that may have megabytes of text in them, such as documents of pages.
 *
 * `JSON.stringify` of 60 MB takes a fifth of a second, in which nobody else is answered. So a large object is written in parts,
 * and between two parts others have their turn. The text is the same, letter by letter.
 */
import * as Effect from "effect/Effect"

/** The text is at least as long. Looks at the texts and lists of the object itself, and takes no time. */
export const leastLength = (value: object): number => {
  let length = 0
  for (const member of Object.values(value)) {
    if (typeof member === "string" || Array.isArray(member)) length += member.length
  }
  return length
}

/** What `JSON.stringify` makes of an object that has no `toJSON`. */
export const text = (value: object): Effect.Effect<string> =>
  leastLength(value) < largeLength && !hasLongList(value)
    ? Effect.sync(() => JSON.stringify(value))
    : Effect.gen(function* () {
        const parts: Array<string> = []
        let length = 0
        for (const part of partsOf(value)) {
          length += part.length
          parts.push(part)
          if (length < turnLength) continue
          length = 0
          yield* Effect.yieldNow
        }
        const joined = parts.join("")
        // Who sends or stores it has a turn of its own.
        yield* Effect.yieldNow
        return joined
      })

/** A list of links has few members and many letters. */
const hasLongList = (value: object): boolean =>
  Object.values(value).some((member) => Array.isArray(member) && member.length > 10 * listLength)

function* partsOf(value: object): Generator<string> {
  let mark = "{"
  for (const [name, member] of Object.entries(value)) {
    if (!isWritten(member)) continue
    yield `${mark}${JSON.stringify(name)}:`
    mark = ","
    if (typeof member === "string") yield* textParts(member)
    else if (Array.isArray(member)) yield* listParts(member)
    else yield JSON.stringify(member)
  }
  yield mark === "{" ? "{}" : "}"
}

/** JSON leaves out what it has no words for. */
const isWritten = (member: unknown): boolean =>
  member !== undefined && typeof member !== "function" && typeof member !== "symbol"

function* textParts(long: string): Generator<string> {
  yield `"`
  for (let at = 0; at < long.length; ) {
    const end = endOfPart(long, at)
    yield JSON.stringify(long.slice(at, end)).slice(1, -1)
    at = end
  }
  yield `"`
}

/** The halves of a character stay together: alone, each is written as an escape. */
const endOfPart = (long: string, at: number): number => {
  const end = at + partLength
  const last = end < long.length ? long.charCodeAt(end - 1) : 0
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end
}

function* listParts(list: ReadonlyArray<unknown>): Generator<string> {
  for (let at = 0; at < list.length; at += listLength) {
    yield (at === 0 ? "[" : ",") + JSON.stringify(list.slice(at, at + listLength)).slice(1, -1)
  }
  yield list.length === 0 ? "[]" : "]"
}

/** A shorter one is written at once: it takes a few milliseconds. */
const largeLength = 1_000_000

const partLength = 256 * 1024

/** Members of a list that are written together. */
const listLength = 100

/** Letters of one turn. */
const turnLength = 1_000_000
