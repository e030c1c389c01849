/**
 * The answers of one run in one file, each a block of its own (`Segment`): `zstd -dc answers.ndjson.zst` prints them, one
 * per line. A text that begins and ends as a JSON object is written unchanged, so that `jq .text.data` can read it; any
 * other text is a JSON string there.
 *
 * The law: an answer is on the disk when `append` has ended, also after a power cut. What an answer names by its blocks is
 * in the segments of the run, and not here again.
 */
import * as Struct from "effect/Struct"
import type { SourceResponse } from "../pipeline/SourceElement.ts"
import * as Segment from "../segments/Segment.ts"

export interface AnswerFile {
  /** How many answers there are. */
  readonly length: number
  readonly append: (answer: SourceResponse) => Promise<void>
  /** The answer that begins at a byte, and the byte behind it; undefined at the end. */
  readonly read: (at: number) => Promise<{ readonly answer: SourceResponse; readonly next: number } | undefined>
  readonly close: () => Promise<void>
}

/** Opens a file, or makes it, and cuts off the half of an answer at its end. */
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
 * The line of an answer. `head` is how many characters stand between it and a text that was taken over as it is: then
 * nothing of megabytes is escaped, and nothing has to be understood to know where it begins. Lines without it, all lines
 * of older versions among them, are the answer as JSON.
 */
const lineOf = ({ text, ...more }: SourceResponse): Buffer => {
  const rest = Struct.omit(more, ["contents"])
  if (!isLine(text)) return Buffer.from(`${JSON.stringify({ ...rest, text })}\n`)
  const head = `${JSON.stringify(rest).slice(1, -1)},"text":`
  return joined(`{"head":${head.length},${head}`, text, "}\n")
}

/** The bytes of texts one behind the other, without a text of all of them. */
const joined = (...texts: ReadonlyArray<string>): Buffer => {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let at = 0
  for (const text of texts) at += bytes.write(text, at)
  return bytes
}

/** Whether a text stands in a line of JSON as it is, as far as that is seen without reading it. */
const isLine = (text: string): boolean =>
  text.startsWith("{") && text.endsWith("}") && !text.includes("\n") && !text.includes("\r") && text.isWellFormed()

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `lineOf` wrote it of an answer, and the checksum holds
const written = (json: string): SourceResponse => JSON.parse(json) as SourceResponse

/** What `lineOf` wrote is an answer: the checksum says that it is what was written. */
const answerOf = (line: string): SourceResponse => {
  const [before, length] = /^\{"head":(\d+),/.exec(line) ?? []
  if (before === undefined) return written(line)
  const at = before.length + Number(length)
  return { ...written(`{${line.slice(before.length, at)}""}`), text: line.slice(at, -2) }
}
