/** Text in the character sets of older days, from the decoders that the platform has: an encoder is a decoder read backwards. */
/** The bytes of a text. UTF-16 begins with its byte order mark. What a charset cannot say becomes a question mark. */
export const encode = (text: string, charset: string): Uint8Array => {
  if (charset === "utf-16le") return Uint8Array.from(Buffer.from(`\uFEFF${text}`, "utf16le"))
  const decoder = new TextDecoder(charset)
  const singles = Array.from({ length: 256 }, (_, byte) => [byte])
  const pairs = (first: number) => Array.from({ length: 0xfd - 0x40 }, (_, second) => [first, 0x40 + second])
  const codes =
    charset === "shift_jis"
      ? [...singles, ...singles.slice(0x81, 0xfd).flatMap(([first = 0]) => pairs(first))]
      : singles
  const characters = codes.map((code) => [decoder.decode(Uint8Array.from(code)), code] as const)
  // The first code of a character is the one that others write, so it is set last.
  const bytes = new Map(characters.filter(([character]) => character !== "\uFFFD").reverse())
  return Uint8Array.from(Array.from(text, (character) => bytes.get(character) ?? [0x3f]).flat())
}
