/**
 * (c) Sentences of sections that cite another section of the corpus: that section is looked for by the sentence, with the
 * citation taken out and with it.
 *
 * The section that the sentence stands in answers it best and is not what is looked for: it is put aside, with its other
 * versions. A sentence counts that cites one section in all and has eight words beside.
 */
import type { Engine } from "./Engine.ts"
import { type Placed, sampled, type Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

/** A way to cite, and the identity that it means where it stands. */
interface Way {
  readonly pattern: RegExp
  readonly identityOf: (found: RegExpExecArray, one: Placed) => string
}

const ways: ReadonlyArray<Way> = [
  {
    pattern: /\b(\d+) U\.S\.C\. (?:§+ ?)?(\d+\w*(?:-\d+)?)/g,
    identityOf: ([, title, number]) => `us/usc/t${title}/s${number}`
  },
  {
    pattern: /\bsections? (\d+\w*(?:-\d+)?) of title (\d+)\b/gi,
    identityOf: ([, number, title]) => `us/usc/t${title}/s${number}`
  },
  {
    pattern: /\bsection (\d+\w*(?:-\d+)?) of this title\b/gi,
    identityOf: ([, number], { section }) => `${section.identity.split("/").slice(0, 3).join("/")}/s${number}`
  },
  {
    pattern: /\b(\d+) C\.?F\.?R\.? (?:§+ ?)?(\d+\.\d+\w*)/g,
    identityOf: ([, title, number]) => `us/cfr/t${title}/s${number}`
  },
  {
    pattern: /§+ ?(\d+\.\d+[a-z]?)(?=\W|$)/g,
    identityOf: ([, number], { section }) => `${section.identity.split("/").slice(0, 3).join("/")}/s${number}`
  },
  { pattern: /§+ ?(\d+-\d+(?:\.\d+)*[a-z]?)/g, identityOf: ([, number]) => `us-dc/code/${number}` },
  {
    pattern: /(?:\bsections?|§+) (\d+\.\d+\.\d+)/gi,
    identityOf: ([, number], { section }) => `${section.identity.split("/").slice(0, 3).join("/")}/${number}`
  }
]

/** Whatever looks like a citation goes, so that the hard question says no number of a section. */
const citing =
  /(?:\b\d+ (?:U\.S\.C\.|C\.?F\.?R\.?) ?|\b(?:sub)?sections? |§+ ?)[\d.\w-]+(?:\([\w-]+\))*(?:,? (?:of|to) (?:this title|title \d+|this part|this chapter|this code))?/gi

export const references = async (
  texts: Texts,
  engines: ReadonlyArray<Engine>,
  { most, seed }: { readonly most: number; readonly seed: number }
): Promise<ReadonlyArray<Trial.Row>> => {
  const found = texts.sections.flatMap((one) =>
    sentencesOf(one.section.text).flatMap((sentence) => citedBy(texts, one, sentence))
  )
  const once = [...new Map(found.map((each) => [each.sentence, each])).values()]
  const chosen = sampled(once, most, seed, "references")
  const trials = (query: (sentence: string) => string) =>
    chosen.map(
      ({ cited, from, sentence }): Trial.Trial => ({
        query: query(sentence),
        isRight: (url) => texts.at(url)?.section.identity === cited,
        isAside: (url) => texts.at(url)?.section.identity === from,
        wanted: cited
      })
    )
  return [
    await Trial.row("(c) sentences that cite, without the citation", trials(withoutCitation), engines),
    await Trial.row(
      "(c) sentences that cite, as they are",
      trials((sentence) => sentence),
      engines
    )
  ]
}

const citedBy = (texts: Texts, one: Placed, sentence: string) => {
  const all = new Set<string>()
  for (const { identityOf, pattern } of ways) {
    for (const found of sentence.matchAll(pattern)) all.add(identityOf(found, one))
  }
  const [cited] = all
  if (cited === undefined || all.size > 1 || cited === one.section.identity) return []
  if (texts.versionsOf(cited).length === 0 || withoutCitation(sentence).split(" ").length < minWords) return []
  return [{ sentence, cited, from: one.section.identity }]
}

const minWords = 8

const withoutCitation = (sentence: string): string => sentence.replaceAll(citing, " ").replaceAll(/\s+/g, " ").trim()

/** Sentences of a paragraph: what ends in a full stop behind a word of small letters, and what semicolons part. */
const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .flatMap((line) => line.split(/(?<=[a-z)]{3}\.)\s+(?=[A-Z(])|(?<=;)\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= maxLetters)

const maxLetters = 600
