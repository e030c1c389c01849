/**
 * The answers of one run in one file, each a block of its own (`Segment`): `zstd -dc answers.ndjson.zst` prints them,
 * one per line. A text that looks like a JSON object is written unchanged, so `jq .text.data` can read it; any other
 * text is written as a JSON string.
 *
 * Guarantee: an answer is on the disk when `append` has ended, even after a power failure. The blocks that an answer
 * names are in the segments of the run and are not repeated here.
 */
import * as Struct from "effect/Struct"
import * as Segment from "#base/Segment"
import type { SourceResponse } from "../SourceElement.ts"

interface AnswerFile {
  /** How many answers there are. */
  readonly length: number
  readonly append: (answer: SourceResponse) => Promise<void>
  /** The answer that begins at this byte, and where the next one begins; undefined at the end. */
  readonly read: (at: number) => Promise<{ readonly answer: SourceResponse; readonly next: number } | undefined>
  readonly close: () => Promise<void>
}

/** Opens or creates a file, and cuts off a partial answer at its end. */
export const open = async (path: string): Promise<AnswerFile> => {
  const file = await Segment.open(path)
  return {
    get length() {
      return file.places.length
    },
    append: (answer) => file.append([lineOf(answer)]),
    read: async (at) => {
      const block = await file.read(at)
      return block === undefined ? undefined : { answer: answerOf(block.bytes.toString("utf8")), next: block.next }
    },
    close: file.close
  }
}

/**
 * The line of an answer. `head` is the number of characters before a text that is written unchanged: megabytes need no
 * escaping, and nothing needs to be parsed to find where the text begins. A line without `head`, as in all older
 * versions, is the answer as JSON.
 */
const lineOf = ({ text, ...more }: SourceResponse): Buffer => {
  const rest = Struct.omit(more, ["contents"])
  if (!isLine(text)) return Buffer.from(`${JSON.stringify({ ...rest, text })}\n`)
  const head = `${JSON.stringify(rest).slice(1, -1)},"text":`
  return joined(`{"head":${head.length},${head}`, text, "}\n")
}

/** The bytes of the texts, without joining the texts first. */
const joined = (...texts: ReadonlyArray<string>): Buffer => {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let at = 0
  for (const text of texts) at += bytes.write(text, at)
  return bytes
}

/** Whether a text can be part of a line of JSON unchanged, judged by its ends. */
const isLine = (text: string): boolean =>
  text.startsWith("{") && text.endsWith("}") && !text.includes("\n") && !text.includes("\r") && text.isWellFormed()

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `lineOf` wrote it of an answer, and the checksum holds
const written = (json: string): SourceResponse => JSON.parse(json) as SourceResponse

/** `lineOf` wrote it: the checksum proves that it is unchanged. */
const answerOf = (line: string): SourceResponse => {
  const [before, length] = /^\{"head":(\d+),/.exec(line) ?? []
  if (before === undefined) return written(line)
  const at = before.length + Number(length)
  return { ...written(`{${line.slice(before.length, at)}""}`), text: line.slice(at, -2) }
}
