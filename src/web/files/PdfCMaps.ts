/**
 * Tables that old Chinese, Japanese and Korean fonts need and PDFs do not contain: from character codes to glyph
 * numbers (CIDs), and from those to letters.
 *
 * The codes belong to known encodings, which Node can decode. So the tables are generated from them, with our own glyph
 * numbers, which no real glyph has. A letter that a font gives only by its real number stays unknown: it becomes one of
 * `unknownLetters`.
 */

/** Placeholders of letters of which only the real number is known. */
export const unknownLetters = /[\u{f0000}-\u{f7fff}]+/gu

/** The table with this name; undefined: there is none. */
export const named = (name: string): Uint8Array | undefined => {
  const before = made.get(name)
  if (before !== undefined) return before
  const ordering = /^Adobe-(\w+)-UCS2$/.exec(name)?.[1]
  const text = ordering === undefined ? encoding(name) : letters(ordering)
  if (text === undefined) return undefined
  const table = new TextEncoder().encode(text)
  made.set(name, table)
  return table
}

/** Generating one takes a third of a second. There are about fifty, of at most 300 kB. */
const made = new Map<string, Uint8Array>()

type Ordering = "Japan1" | "GB1" | "CNS1" | "Korea1"

/** The encodings that together contain the letters of an ordering. */
const alphabets: Readonly<Record<Ordering, ReadonlyArray<string>>> = {
  Japan1: ["shift_jis", "euc-jp"],
  GB1: ["gb18030"],
  CNS1: ["big5"],
  Korea1: ["euc-kr"]
}

/** No real glyph has a number from here on. */
const firstOwn = 0x7800

/** The names of tables, the ordering of their letters, and the encoding of their codes. */
const names: ReadonlyArray<readonly [name: RegExp, ordering: Ordering, charset: string]> = [
  [/^UniJIS\w*-(?:UCS2|UTF16)(?:-HW)?-[HV]$/, "Japan1", "utf-16be"],
  [/^UniGB-(?:UCS2|UTF16)-[HV]$/, "GB1", "utf-16be"],
  [/^UniCNS-(?:UCS2|UTF16)-[HV]$/, "CNS1", "utf-16be"],
  [/^UniKS-(?:UCS2|UTF16)-[HV]$/, "Korea1", "utf-16be"],
  [/^(?:83pv|90pv|90msp?|Add|Ext)-RKSJ-[HV]$/, "Japan1", "shift_jis"],
  [/^EUC-[HV]$/, "Japan1", "euc-jp"],
  [/^GB(?:pc|Kp?)?-EUC-[HV]$/, "GB1", "gbk"],
  [/^(?:B5pc|ETen(?:ms)?-B5|HKscs-B5)-[HV]$/, "CNS1", "big5"],
  [/^KSC(?:ms|pc)?-(?:EUC|UHC(?:-HW)?)-[HV]$/, "Korea1", "euc-kr"]
]

const encoding = (name: string): string | undefined => {
  const entry = names.find(([pattern]) => pattern.test(name))
  if (entry === undefined) return undefined
  const [, ordering, charset] = entry
  const numbers = numbersOf(ordering)
  const spaces = charset === "utf-16be" ? ["<0000> <ffff>"] : codeSpaces(charset)
  const codes = [...codesOf(charset)].flatMap(([code, letter]) => {
    const number = numbers.get(letter)
    return number === undefined ? [] : [`<${code}> ${number}`]
  })
  return cmap(name.endsWith("V") ? 1 : 0, [section("codespacerange", spaces), section("cidchar", codes)])
}

const letters = (name: string): string | undefined => {
  const ordering = name === "Japan1" || name === "GB1" || name === "CNS1" || name === "Korea1" ? name : undefined
  if (ordering === undefined) return undefined
  const own = [...numbersOf(ordering)].map(([letter, number]) => `<${hex(number, 4)}> <${utf16(letter)}>`)
  const real = Array.from({ length: firstOwn / 1024 }, (_, i) => {
    const first = i * 1024
    return `<${hex(first, 4)}> <${hex(first + 1023, 4)}> <${utf16(String.fromCodePoint(0xf0000 + first))}>`
  })
  return cmap(0, [section("codespacerange", ["<0000> <ffff>"]), section("bfrange", real), section("bfchar", own)])
}

const numbersOf = (ordering: Ordering): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  for (const charset of alphabets[ordering]) {
    for (const [, letter] of codesOf(charset)) if (!numbers.has(letter)) numbers.set(letter, firstOwn + numbers.size)
  }
  return numbers
}

/** The codes of an encoding in hexadecimal, of one or two bytes, each with its letter. */
function* codesOf(charset: string): Generator<readonly [code: string, letter: string]> {
  const decoder = new TextDecoder(charset)
  const letterOf = (...bytes: ReadonlyArray<number>): string | undefined => {
    const text = decoder.decode(Uint8Array.from(bytes))
    return [...text].length === 1 && text !== "\ufffd" ? text : undefined
  }
  const isWide = charset === "utf-16be"
  for (let lead = 0; lead < 256; lead++) {
    const single = isWide ? undefined : letterOf(lead)
    if (single !== undefined) yield [hex(lead, 2), single]
    else {
      for (let trail = 0; trail < 256; trail++) {
        const letter = letterOf(lead, trail)
        if (letter !== undefined) yield [hex(lead * 256 + trail, 4), letter]
      }
    }
  }
}

const codeSpaces = (charset: string): ReadonlyArray<string> => {
  const leads = new Set(
    [...codesOf(charset)].map(([code]) => (code.length === 2 ? `<${code}> <${code}>` : code.slice(0, 2)))
  )
  return [...leads].map((lead) => (lead.startsWith("<") ? lead : `<${lead}00> <${lead}ff>`))
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")

const utf16 = (letter: string): string => Array.from(letter.split(""), (unit) => hex(unit.charCodeAt(0), 4)).join("")

const section = (kind: string, lines: ReadonlyArray<string>): string =>
  `${lines.length} begin${kind}\n${lines.join("\n")}\nend${kind}`

const cmap = (direction: 0 | 1, sections: ReadonlyArray<string>): string =>
  `begincmap\n/WMode ${direction} def\n${sections.join("\n")}\nendcmap`
