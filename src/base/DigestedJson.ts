/**
 * JSON text that ends with a digest of itself: `{..., "digest": "<SHA-256 of the text before this member>"}`.
 *
 * One flipped bit in a bound or a count is valid JSON of the right shape. The digest is in the same file, so that text and
 * digest are written at once. Older versions wrote none: such a text is taken as it is, until the next commit writes one.
 */
import * as Digest from "./Digest.ts"

/** The text of a value. `indent`: for a file that people read. */
export const encode = (value: object, indent?: number): Uint8Array => {
  const body = JSON.stringify(value, undefined, indent).slice(0, -1).trimEnd()
  const [line, space, end] = indent === undefined ? ["", "", ""] : [`\n${" ".repeat(indent)}`, " ", "\n"]
  return new TextEncoder().encode(`${body},${line}"digest":${space}"${Digest.of(body)}"${end}}\n`)
}

/** Whether the text is not the one that was written. */
export const isDamaged = (text: string): boolean => {
  const end = /,\s*"digest":\s?"([^"]*)"\s*\}\s*$/.exec(text.slice(-longestEnd))
  return end?.[1] !== undefined && !Digest.isOf(text.slice(0, text.length - end[0].length), end[1])
}

/** The member, its digest of 64 characters, the brace, the end of the line, and some room. */
const longestEnd = 128
