/**
 * (g) Words copied from the body of a section, as a reader of a printed or quoted text has them: twelve in a row, five in a
 * row, and twelve of which one is another word.
 *
 * Where several sections have these very words, "that very section" cannot be found by anybody: a second row counts any
 * section that has them. Versions of a section count as it.
 */
import * as Dice from "../../src/site/Dice.ts"
import type { Engine } from "./Engine.ts"
import { type Placed, sampled, type Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

export const copied = async (
  texts: Texts,
  engines: ReadonlyArray<Engine>,
  { most, seed }: { readonly most: number; readonly seed: number }
): Promise<ReadonlyArray<Trial.Row>> => {
  const sections = [...Map.groupBy(texts.sections, ({ section }) => section.identity).values()].flatMap(
    ([one]) => one ?? []
  )
  const bodies = texts.sections.map(({ section }) => ({
    identity: section.identity,
    said: ` ${wordsOf(section.text).join(" ")} `
  }))
  const rows: Array<Trial.Row> = []
  for (const { isWrong, length, name } of kinds) {
    const long = sections.filter(({ section }) => wordsOf(section.text).length >= length)
    const asked = sampled(long, most, seed, "copied", name).map((one) => runOf(one, length, seed, isWrong))
    const very = asked.map(
      ({ identity, query }): Trial.Trial => ({
        query,
        isRight: (url) => texts.at(url)?.section.identity === identity,
        wanted: identity
      })
    )
    const any = asked.map(({ identity, query, run }): Trial.Trial => {
      const right = new Set(bodies.filter(({ said }) => said.includes(run)).map((body) => body.identity))
      return { query, isRight: (url) => right.has(texts.at(url)?.section.identity ?? ""), wanted: identity }
    })
    rows.push(await Trial.row(`(g) ${name}: that very section`, very, engines))
    rows.push(await Trial.row(`(g) ${name}: any section that says them`, any, engines))
  }
  return rows
}

const kinds = [
  { name: "twelve words of a body", length: 12, isWrong: false },
  { name: "five words of a body", length: 5, isWrong: false },
  { name: "twelve words, one of them another", length: 12, isWrong: true }
] as const

/** The query has the words as the text writes them; `run` is how `bodies` has them. */
const runOf = ({ section }: Placed, length: number, seed: number, isWrong: boolean) => {
  const all = wordsOf(section.text)
  const dice = Dice.make(seed, "run", length, section.url)
  const from = dice.int(0, all.length - length)
  const own = all.slice(from, from + length)
  const at = dice.int(0, length - 1)
  const other = all[dice.int(0, all.length - 1)] ?? ""
  const asked = isWrong ? own.with(at, other === own[at] ? "nonetheless" : other) : own
  return { identity: section.identity, query: asked.join(" "), run: ` ${own.join(" ")} ` }
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
