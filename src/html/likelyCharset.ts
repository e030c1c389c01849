/**
 * The encoding that bytes without any label are most likely in, where they are not UTF-8: pages from before UTF-8 often say
 * nothing, and browsers look at their letters, too.
 */
import { analyse } from "chardet"
import { latin1Of } from "./latin1Of.ts"

/** A label that a TextDecoder knows. `otherwise`: what it is where there is too little to tell. */
export const likelyCharset = (body: Uint8Array, otherwise: string = western): string => {
  const text = withoutTags(body)
  if (text === undefined) return otherwise
  if (isBrokenUtf8(text)) return "utf-8"
  return analyse(text).find(({ name }) => decodable.has(name))?.name ?? western
}

/** Whether it is UTF-8 but for a few bytes: a text that was cut inside a character, or put together from two. */
const isBrokenUtf8 = (bytes: Uint8Array): boolean => {
  let [whole, broken] = [0, 0]
  for (const character of new TextDecoder("utf-8").decode(bytes)) {
    if (character === "\uFFFD") broken++
    else if (character > "\u007F") whole++
  }
  return broken * 10 <= whole
}

const western = "windows-1252"

/** Bytes that are looked at, and bytes beyond ASCII that have to be among them. */
const most = 64 * 1024
const least = 8

/** The bytes of the text alone: tags are ASCII, and say nothing of the letters. */
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

/** What is believed. Encodings that switch by escape sequences are not: a page could hide a script in them. */
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
