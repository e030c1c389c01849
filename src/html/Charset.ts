/**
 * Bytes to text: a byte order mark, then the header, then what the page declares, then UTF-8 if the bytes are UTF-8,
 * otherwise what their letters look like. A label nobody knows counts as none, and so does the label UTF-8 on bytes that are
 * something else: many servers say it of every page.
 */
import { isUtf8 } from "node:buffer"
import type { ContentKind } from "./ContentKind.ts"
import { koreanOf } from "./koreanOf.ts"
import { latin1Of } from "./latin1Of.ts"
import { likelyCharset } from "./likelyCharset.ts"
import { tokenize } from "./Tokenizer.ts"

export const decode = (body: Uint8Array, contentType: string | undefined, kind: ContentKind): string =>
  decoded(body, contentType, kind).text

/** The text, and the encoding that it was in. */
export interface Decoded {
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

/** The name of an encoding that can be decoded. */
const known = (label: string | undefined): string | undefined =>
  label === undefined ? undefined : decoderOf(label)?.encoding

/** Decoders by their labels, of which there are some two hundred. */
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

/** What the page itself says, in `<meta>` or in the XML declaration. It was read as ASCII, so it is not UTF-16. */
const declared = (body: Uint8Array, kind: ContentKind): string | undefined => {
  if (kind === "text") return undefined
  const head = latin1Of(body, 0, prescanned)
  const label =
    known(/^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]) ??
    (kind === "html" ? metaLabel(head) : undefined)
  if (label === undefined) return undefined
  return label.startsWith("utf-16") ? "utf-8" : label === "x-user-defined" ? "windows-1252" : label
}

/** Browsers look at 1,024 bytes; real pages declare later. */
const prescanned = 4096

const metaLabel = (head: string): string | undefined => {
  if (!/charset/i.test(head)) return undefined
  let found: string | undefined
  tokenize(head, {
    foreign: false,
    open: (name, attributes) => {
      if (name !== "meta" || found !== undefined) return
      const pragma = attributes.get("http-equiv")?.toLowerCase() === "content-type"
      found = known(
        attributes.get("charset") ??
          (pragma ? headerLabel(`;${attributes.get("content")}`.replace(/.*;/s, ";")) : undefined)
      )
    },
    close: () => {},
    text: () => {}
  })
  return found
}

/** The text of bytes that are UTF-8. A body that was cut off inside a character still is. */
const utf8 = (body: Uint8Array): Decoded | undefined => {
  const whole = wholeCharacters(body)
  // A decoder that is strict takes four times as long.
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

/** The text of bytes that are not UTF-8, whatever they are said to be. `inside`: what the page says, where its header is wrong. */
const decodeOther = (body: Uint8Array, inside: string | undefined, label: string | undefined): Decoded => {
  const likely = likelyCharset(body, label)
  const charset = likely !== "utf-8" && inside !== undefined && inside !== "utf-8" ? inside : likely
  return by(decoderOf(charset), body) ?? { charset: "utf-8", text: lenient.decode(body) }
}
