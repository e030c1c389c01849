/**
 * What a text says where it cites: for each text that is cited, the sentence around the first citation of it.
 *
 * What others say when they cite a section describes it, often in other words than its own. A number alone counts inside the
 * document that says it, unless the name of another one follows it.
 */
import * as Citation from "./Citation.ts"
import { numberedCodes, titledCodes } from "./titledCodes.ts"

interface CitingSentence {
  /** The key of the cited text. */
  readonly key: string
  /** Where it is meant: "section 5" in the same document, "10.04.010" in the same code, "17 U.S.C. 107" anywhere. */
  readonly within: "document" | "code" | "anywhere"
  /** The sentence without the citation. */
  readonly text: string
}

/** The maximum number of texts that one section cites: a list of all sections of a code describes none of them. */
const maxCited = 100

/** Characters of a sentence, and of its words beside the citation at least. */
const maxLetters = 300
const minLetters = 25

export const citingSentences = (text: string): ReadonlyArray<CitingSentence> => {
  const found = new Map<string, CitingSentence>()
  for (const line of text.split("\n")) {
    if (!anchor.test(line)) continue
    for (const sentence of sentencesOf(line)) {
      if (!anchor.test(sentence)) continue
      for (const { end, isBare, keys, start } of Citation.find(sentence)) {
        const within = isBare ? "document" : keys.some((key) => key.startsWith("n/")) ? "code" : "anywhere"
        if (within !== "anywhere" && elsewhere.test(sentence.slice(end))) continue
        const context = around(sentence, start, end)
        if (context.length < minLetters) continue
        for (const key of keys) if (!found.has(key)) found.set(key, { key, within, text: context })
        if (found.size >= maxCited) return [...found.values()]
      }
    }
  }
  return [...found.values()]
}

/** Every citation contains one of these. Most lines do not, so they are not searched further. */
const anchor = new RegExp(
  String.raw`(?:§|\bsect?(?:ions?|s?\.)) ?\d|\b(?:u\.? ?s\.? ?c|c\.? ?f\.? ?r|pub\. ?l|public law|${[
    ...titledCodes,
    ...numberedCodes
  ]
    .map(({ books }) => books)
    .join("|")})(?!\w)`,
  "i"
)

/** "of the Clean Air Act"; "of this title" is the text's own. */
const elsewhere = /^,? (?:of|to|in) (?!this\b|such\b|that\b|these\b|the same\b)/i

/** What ends in a full stop behind a word of small letters, and what semicolons part. */
const sentencesOf = (line: string): ReadonlyArray<string> =>
  line.length <= maxLetters ? [line] : line.split(/(?<=[a-z)]{3}\.)\s+(?=[A-Z(])|(?<=;)\s+/)

/** The sentence without the citation, or of a long one what stands around it, cut at blanks. */
const around = (sentence: string, start: number, end: number): string => {
  const before = sentence.slice(0, start)
  const after = sentence.slice(end)
  const half = Math.floor(maxLetters / 2)
  const from = before.length <= half ? 0 : before.indexOf(" ", before.length - half) + 1
  const cut = after.length <= half ? after.length : after.lastIndexOf(" ", half)
  return `${before.slice(from)} ${after.slice(0, Math.max(0, cut))}`.replace(/\s+/g, " ").trim()
}
