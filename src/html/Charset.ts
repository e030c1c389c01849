/**
 * Bytes to text: a byte order mark, then the header, then what the page declares, then UTF-8 if the bytes are UTF-8,
 * otherwise what their letters look like. A label nobody knows counts as none.
 */
import type { ContentKind } from "./ContentKind.ts"
import { latin1Of } from "./latin1Of.ts"
import { likelyCharset } from "./likelyCharset.ts"
import { tokenize } from "./Tokenizer.ts"

export const decode = (body: Uint8Array, contentType: string | undefined, kind: ContentKind): string => {
  const label =
    byteOrderMark(body) ?? known(headerLabel(contentType)) ?? (kind === "json" ? "utf-8" : declared(body, kind))
  const text = label === undefined ? guess(body) : (decoderOf(label)?.decode(body) ?? guess(body))
  return text.includes("\0") ? text.replaceAll("\0", "") : text
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

/** A body that was cut off inside a character is still UTF-8. */
const guess = (body: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true })
  } catch {
    return new TextDecoder(likelyCharset(body)).decode(body)
  }
}
