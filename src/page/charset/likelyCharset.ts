/**
 * Guesses the encoding of bytes that are not valid UTF-8, from their letters, as browsers do: pages from before UTF-8 often
 * name no encoding.
 */
import { analyse } from "chardet"
import { latin1Of } from "../latin1Of.ts"

/** Returns a label for `TextDecoder`. `otherwise`: the result if there are too few letters to guess. */
export const likelyCharset = (body: Uint8Array, otherwise: string = western): string => {
  const text = withoutTags(body)
  if (text === undefined) return otherwise
  if (isBrokenUtf8(text)) return "utf-8"
  return analyse(text).find(({ name }) => decodable.has(name))?.name ?? western
}

/** Whether it is UTF-8 with a few invalid bytes: a text that was cut inside a character, or joined from two encodings. */
const isBrokenUtf8 = (bytes: Uint8Array): boolean => {
  let [whole, broken] = [0, 0]
  for (const character of new TextDecoder("utf-8").decode(bytes)) {
    if (character === "\uFFFD") broken++
    else if (character > "\u007F") whole++
  }
  return broken * 10 <= whole
}

const western = "windows-1252"

/** The maximum number of bytes to examine, and the minimum number of bytes outside ASCII among them. */
const most = 64 * 1024
const least = 8

/** The bytes of the text, without tags, which are ASCII; undefined: too few bytes are outside ASCII. */
const withoutTags = (body: Uint8Array): Uint8Array | undefined => {
  const text = latin1Of(body, 0, 4 * most)
    .replace(/<(script|style)\b[^]*?(?:<\/\1|$)/gi, "")
    .replace(/<[^<>]*>/g, " ")
    .slice(0, most)
  const bytes = Buffer.from(text, "latin1")
  let foreign = 0
  for (const byte of bytes) if (byte > 127) foreign++
  return foreign < least ? undefined : bytes
}

/** The guesses that are accepted. Encodings with escape sequences are not: a page could hide a script in them. */
const decodable: ReadonlySet<string> = new Set([
  "Shift_JIS",
  "EUC-JP",
  "EUC-KR",
  "Big5",
  "GB18030",
  "KOI8-R",
  "ISO-8859-1",
  "ISO-8859-2",
  "ISO-8859-5",
  "ISO-8859-6",
  "ISO-8859-7",
  "ISO-8859-8",
  "ISO-8859-9",
  "windows-874",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258"
])
