/**
 * What somebody looks for in a table, as regular expressions: words in any order, and "phrases" in quotes.
 *
 * Upper and lower case are one, and so are letters with and without accents. The same expression finds rows in DuckDB (RE2)
 * and in Postgres, and marks words in the browser, so it has only what all three know. One pass over the bytes of a text
 * finds it; to fold the text first would take up to twenty times as long.
 *
 * It imports nothing, since the page asks with it in the browser.
 */

/** More of a question would make an expression that takes longer to build than to use. */
export const longestFind = 300

/** One expression for each word or phrase; a row must have all of them. */
export const patternsOf = (find: string): ReadonlyArray<string> => wordsOf(find).map(patternOf)

/** What is marked in a text; undefined: nothing is looked for. */
export const marksOf = (find: string): RegExp | undefined => {
  // Of two words that begin alike, the longer one is marked.
  const patterns = wordsOf(find)
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf)
  return patterns.length === 0 ? undefined : new RegExp(patterns.join("|"), "giu")
}

/** A quote that is not closed ends with the text. */
const wordsOf = (find: string): ReadonlyArray<string> => {
  const words = [...find.slice(0, longestFind).matchAll(/[“”„"]([^“”„"]*)[“”"]?|[^\s“”„"]+/gu)].map(([word, phrase]) =>
    (phrase ?? word).trim()
  )
  return [...new Set(words.filter((word) => word !== ""))]
}

const patternOf = (word: string): string => {
  const folded = foldedOf(word)
  let pattern = ""
  for (let at = 0; at < folded.length; at++) {
    const [letter = "", next = ""] = [folded[at], folded[at + 1]]
    const joined = ligatures.get(letter + next)
    if (/\s/u.test(letter)) {
      if (!/\s/u.test(next)) pattern += anySpace
    } else if (joined === undefined) pattern += letterPattern(letter)
    else {
      pattern += `(?:${letterPattern(letter)}${letterPattern(next)}|${joined})`
      at++
    }
  }
  return pattern
}

/** RE2 knows only the white space of ASCII by `\s`. */
const anySpace = "[\\s\u00a0\u2009\u202f\u3000]+"
const marks = "[\u0300-\u036f]"

const letterPattern = (letter: string): string => {
  const variants = letters().get(letter)
  if (variants !== undefined) return `[${variants.join("")}]${marks}*`
  return letter.replace(/[\^$\\.*+?()[\]{}|/]/, String.raw`\$&`)
}

/** Two letters that stand as one in some texts. */
const ligatures: ReadonlyMap<string, string> = new Map([
  ["ss", "ß"],
  ["ae", "æ"],
  ["oe", "œ"]
])

/** The characters of a word, where letters that have an accent are without it. */
const foldedOf = (word: string): ReadonlyArray<string> =>
  [...word.toLowerCase().normalize("NFC")].flatMap((character) => {
    const two = [...ligatures].find(([, one]) => one === character)?.[0]
    if (two !== undefined) return [...two]
    const base = baseOf(character)
    return letters().has(base) ? [base] : /\p{Cc}/u.test(character) && !/\s/u.test(character) ? [] : [character]
  })

/** Letters without a decomposition that readers write without their stroke. */
const strokes: Readonly<Record<string, string>> = { ø: "o", đ: "d", ł: "l", ħ: "h", ŧ: "t", ı: "i" }

/** The Russian и is another letter than й, and no accent parts them. */
const baseOf = (character: string): string =>
  strokes[character] ?? (character === "й" ? character : character.normalize("NFD").replace(/[\u0300-\u036f]/g, ""))

/** Blocks of Latin, Greek and Cyrillic letters. In other scripts a mark makes another letter, as か and が are. */
const blocks = [
  [0x61, 0x7a],
  [0xc0, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x45f],
  [0x1e00, 0x1fff]
] as const

let known: ReadonlyMap<string, ReadonlyArray<string>> | undefined

/** Each letter with all that are it with an accent. It is made once: 1,700 letters take a millisecond. */
const letters = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  if (known !== undefined) return known
  const variants = new Map<string, Array<string>>()
  for (const [first, last] of blocks) {
    for (let code = first; code <= last; code++) {
      const letter = String.fromCodePoint(code).toLowerCase()
      const base = baseOf(letter)
      if (!/^\p{Ll}$/u.test(base) || !/^\p{L}$/u.test(letter)) continue
      const all = variants.get(base) ?? []
      if (!all.includes(letter)) all.push(letter)
      variants.set(base, all)
    }
  }
  known = variants
  return known
}
