/**
 * Decodes bytes to text. The encoding is the one of the byte order mark; otherwise the one that the header names; otherwise
 * the one that the page names; otherwise UTF-8 if the bytes are valid UTF-8; otherwise the one that the letters suggest.
 * Unknown labels are ignored. So is the label UTF-8 if the bytes are not UTF-8: many servers send it with every page.
 */
import { isUtf8 } from "node:buffer"
import { analyse } from "chardet"
import type { ContentKind } from "./ContentKind.ts"
import { koreanOf } from "./charset/koreanOf.ts"
import { latin1Of } from "./latin1Of.ts"
import { tokenize } from "./Tokenizer.ts"

export const decode = (body: Uint8Array, contentType: string | undefined, kind: ContentKind): string =>
  decoded(body, contentType, kind).text

interface Decoded {
  readonly text: string
  readonly charset: string
}

export const decoded = (body: Uint8Array, contentType: string | undefined, kind: ContentKind): Decoded => {
  const mark = byteOrderMark(body)
  const header = mark ?? known(headerLabel(contentType))
  const label = header ?? (kind === "json" ? "utf-8" : declared(body, kind))
  const own = label === undefined || (label === "utf-8" && mark === undefined) ? undefined : decoderOf(label)
  const { charset, text } =
    by(own, body) ?? utf8(body) ?? decodeOther(body, header === "utf-8" ? declared(body, kind) : undefined, label)
  return { charset, text: text.includes("\0") ? text.replaceAll("\0", "") : text }
}

/** The charset parameter of a content type. */
const headerLabel = (contentType: string | undefined): string | undefined =>
  contentType === undefined ? undefined : /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1]

const byteOrderMark = (body: Uint8Array): string | undefined => {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8"
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le"
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be"
  return undefined
}

/** The name of the encoding with this label; undefined: there is none that can be decoded. */
const known = (label: string | undefined): string | undefined =>
  label === undefined ? undefined : decoderOf(label)?.encoding

/** Decoders by label. There are about two hundred labels, so the map needs no limit. */
const decoders = new Map<string, TextDecoder>()

const decoderOf = (written: string): TextDecoder | undefined => {
  const label = written.trim().toLowerCase()
  const made = decoders.get(label)
  if (made !== undefined) return made
  try {
    const decoder = new TextDecoder(label)
    decoders.set(label, decoder)
    return decoder
  } catch {
    return undefined
  }
}

const by = (decoder: TextDecoder | undefined, body: Uint8Array): Decoded | undefined => {
  if (decoder === undefined) return undefined
  const charset = decoder.encoding
  return { charset, text: charset === "euc-kr" ? koreanOf(body) : decoder.decode(body) }
}

/**
 * The encoding that the page names in `<meta>` or in the XML declaration. A page that names UTF-16 there is UTF-8: its label
 * could be read as ASCII.
 */
const declared = (body: Uint8Array, kind: ContentKind): string | undefined => {
  if (kind === "text") return undefined
  const head = latin1Of(body, 0, prescanned)
  const label =
    known(/^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]) ??
    (kind === "html" ? metaLabel(head) : undefined)
  if (label === undefined) return undefined
  return label.startsWith("utf-16") ? "utf-8" : label === "x-user-defined" ? "windows-1252" : label
}

/** Browsers search 1,024 bytes for the label; real pages have it later. */
const prescanned = 4096

const metaLabel = (head: string): string | undefined => {
  if (!/charset/i.test(head)) return undefined
  let likeliest: string | undefined
  tokenize(head, {
    foreign: false,
    open: (name, attributes) => {
      if (name !== "meta" || likeliest !== undefined) return
      const pragma = attributes.get("http-equiv")?.toLowerCase() === "content-type"
      likeliest = known(
        attributes.get("charset") ??
          (pragma ? headerLabel(`;${attributes.get("content")}`.replace(/.*;/s, ";")) : undefined)
      )
    },
    close: () => {},
    text: () => {}
  })
  return likeliest
}

/** The text of bytes that are valid UTF-8, except that the last character may be incomplete. */
const utf8 = (body: Uint8Array): Decoded | undefined => {
  const whole = wholeCharacters(body)
  // A decoder that rejects invalid bytes takes four times as long.
  return isUtf8(whole) ? { charset: "utf-8", text: lenient.decode(whole) } : undefined
}

const lenient = new TextDecoder("utf-8")

const wholeCharacters = (body: Uint8Array): Uint8Array => {
  let lead = body.length - 1
  while (lead > 0 && lead > body.length - 4 && ((body[lead] ?? 0) & 0xc0) === 0x80) lead--
  const first = body[lead] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return lead + length > body.length ? body.subarray(0, lead) : body
}

/** Decodes bytes that are not UTF-8. `inside`: the encoding that the page names, if its header is wrong. */
const decodeOther = (body: Uint8Array, inside: string | undefined, label: string | undefined): Decoded => {
  const likely = likelyCharset(body, label)
  const charset = likely !== "utf-8" && inside !== undefined && inside !== "utf-8" ? inside : likely
  return by(decoderOf(charset), body) ?? { charset: "utf-8", text: lenient.decode(body) }
}

/**
 * Guesses the encoding of bytes that are not valid UTF-8, from their letters, as browsers do: pages from before UTF-8 often
 * name no encoding.
 */

/** Returns a label for `TextDecoder`. `otherwise`: the result if there are too few letters to guess. */
const likelyCharset = (body: Uint8Array, otherwise: string = western): string => {
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
