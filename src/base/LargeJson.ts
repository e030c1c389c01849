/**
 * Writes the JSON of objects that may contain megabytes of text, such as page documents.
 *
 * `JSON.stringify` of 60 MB blocks the event loop for a fifth of a second. So a large object is written in parts, and other
 * fibers run between two parts. The result is exactly that of `JSON.stringify`.
 */
import * as Effect from "effect/Effect"

/** The minimum length of the JSON, from the lengths of the direct members of the object. It is fast to compute. */
export const leastLength = (value: object): number => {
  let length = 0
  for (const member of Object.values(value)) {
    if (typeof member === "string" || Array.isArray(member)) length += member.length
  }
  return length
}

/** The JSON of an object without `toJSON`. */
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
        // Joining the parts took long, so other fibers run before the caller continues.
        yield* Effect.yieldNow
        return joined
      })

/** `leastLength` counts only the members of a list, but a list of links has much text in few members. */
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

/** Whether `JSON.stringify` writes a member: it leaves out undefined, functions and symbols. */
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
