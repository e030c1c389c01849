/**
 * (h) A section by words that it does not have as they are asked: its heading with a typing error in the longest word, its
 * heading with an ordinary synonym for a word, and twelve words copied from its notes.
 *
 * Any version of a section that has this heading, or these words in its notes, is right. The synonyms are of ordinary English,
 * from no corpus and not from the index.
 */
import * as Dice from "../../src/site/Dice.ts"
import type { Engine } from "./Engine.ts"
import { sampled, type Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

export const otherwise = async (
  texts: Texts,
  engines: ReadonlyArray<Engine>,
  { most, seed }: { readonly most: number; readonly seed: number }
): Promise<ReadonlyArray<Trial.Row>> => {
  const headed = [...Map.groupBy(texts.sections, ({ section }) => wordsOf(section.heading).join(" "))].filter(
    ([heading]) => heading.split(" ").length >= 3
  )
  const trialsOf = (name: string, say: (heading: string) => string | undefined): ReadonlyArray<Trial.Trial> =>
    sampled(
      headed.flatMap(([heading, ones]) => {
        const query = say(heading)
        return query === undefined ? [] : [{ query, ones }]
      }),
      most,
      seed,
      name
    ).map(({ ones, query }) => {
      const right = new Set(ones.map(({ section }) => section.identity))
      return {
        query,
        isRight: (url) => right.has(texts.at(url)?.section.identity ?? ""),
        wanted: [...right].join(" or ")
      }
    })
  return [
    await Trial.row(
      "(h) a heading with a typing error",
      trialsOf("error", (heading) => mistyped(heading, seed)),
      engines
    ),
    await Trial.row("(h) a heading with a synonym", trialsOf("synonym", renamed), engines),
    await Trial.row("(h) twelve words of notes", ofNotes(texts, most, seed), engines)
  ]
}

/** Two letters of its longest word change places, or one is lost. */
const mistyped = (heading: string, seed: number): string | undefined => {
  const words = heading.split(" ")
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? ""
  if (longest.length < 6) return undefined
  const dice = Dice.make(seed, "error", heading)
  const at = dice.int(1, longest.length - 3)
  const [a = "", b = ""] = longest.slice(at, at + 2)
  const wrong = longest.slice(0, at) + (a === b || dice.chance(0.5) ? a : b + a) + longest.slice(at + 2)
  return words.map((word) => (word === longest ? wrong : word)).join(" ")
}

/** The first word of it that has a synonym is that synonym. */
const renamed = (heading: string): string | undefined => {
  const words = heading.split(" ")
  const at = words.findIndex((word) => synonyms.has(word))
  return at < 0 ? undefined : words.with(at, synonyms.get(words[at] ?? "") ?? "").join(" ")
}

const synonyms: ReadonlyMap<string, string> = new Map(
  `vehicle car, vehicles cars, attorney lawyer, attorneys lawyers, purchase buy, purchases buys, compensation pay, employment work,
  employees staff, residence home, physician doctor, physicians doctors, assistance help, annual yearly, prohibited banned,
  penalty fine, penalties fines, termination end, commencement start, children kids, child kid, dwelling house, funds money,
  assist help, requirements conditions, authority power, establishment creation, amendment change, amendments changes,
  schools colleges, education teaching, examination test, examinations tests, duties tasks, hearing trial, highway road,
  highways roads, firearms guns, alcoholic liquor, revocation cancellation, rights entitlements, construction building,
  inspection check, inspections checks, prosecution charge, evidence proof, error mistake, errors mistakes, fees charges,
  liability responsibility, appointment selection, members participants, refuse garbage, disclosure revelation`
    .split(",")
    .map((pair) => pair.trim().split(" "))
    .map(([word = "", other = ""]) => [word, other] as const)
)

const ofNotes = (texts: Texts, most: number, seed: number): ReadonlyArray<Trial.Trial> => {
  const noted = texts.sections.map(({ section }) => ({
    identity: section.identity,
    url: section.url,
    words: wordsOf(section.notes)
  }))
  const long = noted.filter(({ words }) => words.length >= run)
  const all = long.map(({ identity, words }) => ({ identity, said: ` ${words.join(" ")} ` }))
  return sampled(long, most, seed, "notes").map(({ identity, url, words }) => {
    const from = Dice.make(seed, "notes", url).int(0, words.length - run)
    const query = words.slice(from, from + run).join(" ")
    const right = new Set(all.filter(({ said }) => said.includes(` ${query} `)).map((one) => one.identity))
    return { query, isRight: (url) => right.has(texts.at(url)?.section.identity ?? ""), wanted: identity }
  })
}

const run = 12

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
