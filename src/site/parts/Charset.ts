/** Text in the character sets of older days, from the decoders that the platform has: an encoder is a decoder read backwards. */
export type Charset = "windows-1252" | "shift_jis" | "utf-16le"

/** The bytes of a text. UTF-16 begins with its byte order mark. What a charset cannot say becomes a question mark. */
export const encode = (text: string, charset: Charset): Uint8Array => {
  if (charset === "utf-16le") return Uint8Array.from(Buffer.from(`\uFEFF${text}`, "utf16le"))
  const bytes = bytesOf(charset)
  return Uint8Array.from(Array.from(text, (character) => bytes.get(character) ?? [0x3f]).flat())
}

type Table = ReadonlyMap<string, ReadonlyArray<number>>

const tables = new Map<Charset, Table>()

const bytesOf = (charset: Charset): Table => {
  const known = tables.get(charset)
  if (known !== undefined) return known
  const decoder = new TextDecoder(charset)
  const table = new Map<string, ReadonlyArray<number>>()
  const add = (bytes: ReadonlyArray<number>) => {
    const character = decoder.decode(Uint8Array.from(bytes))
    if ([...character].length === 1 && character !== "\uFFFD" && !table.has(character)) table.set(character, bytes)
  }
  for (let first = 0; first < 256; first++) add([first])
  if (charset === "shift_jis") {
    for (let first = 0x81; first <= 0xfc; first++) {
      for (let second = 0x40; second <= 0xfc; second++) add([first, second])
    }
  }
  tables.set(charset, table)
  return table
}
