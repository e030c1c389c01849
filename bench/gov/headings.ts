/**
 * (b) Headings as queries, over texts whose bodies do not hold them.
 *
 * Three rows: headings that one section alone has; all, where any section of that heading is right; and all, where it must be
 * that very section, which "Definitions" cannot be. Versions of a section count as it.
 */
import type { GovText } from "../../src/law/GovText.ts"
import type { Engine } from "./Engine.ts"
import { type Placed, sampled, type Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

/** A text without its heading in its body; and without its heading at all. */
export const withoutHeading = (text: GovText, inAll: boolean): GovText => {
  if (text._tag !== "Section" || text.heading === "") return text
  const body = text.text.replaceAll(text.heading, " ")
  return { ...text, text: body, ...(inAll ? { heading: "", notes: text.notes.replaceAll(text.heading, " ") } : {}) }
}

export const headings = async (
  texts: Texts,
  engines: ReadonlyArray<Engine>,
  how: { readonly most: number; readonly seed: number; readonly name: string; readonly isHarder: boolean }
): Promise<ReadonlyArray<Trial.Row>> => {
  const { isHarder, most, name, seed } = how
  const said = [...Map.groupBy(texts.sections, ({ section }) => section.identity).values()]
    .flatMap(([one]) => one ?? [])
    .filter(({ section }) => isAsked(section.heading))
  const sameHeading = Map.groupBy(texts.sections, (one) => keyOf(one))
  const sectionsOf = (one: Placed) =>
    new Set((sameHeading.get(keyOf(one)) ?? []).map(({ section }) => section.identity))
  const target = isHarder ? undefined : ({ figure: "mrr", least: 0.75 } as const)

  const trial = (one: Placed, isRight: Trial.Trial["isRight"]): Trial.Trial => ({
    query: one.section.heading,
    isRight,
    wanted: one.section.identity
  })
  const very = (one: Placed) => trial(one, (url) => texts.at(url)?.section.identity === one.section.identity)
  const alike = (one: Placed) => {
    const right = sectionsOf(one)
    return trial(one, (url) => right.has(texts.at(url)?.section.identity ?? ""))
  }
  const unique = sampled(
    said.filter((one) => sectionsOf(one).size === 1),
    most,
    seed,
    "unique"
  )
  const all = sampled(said, most, seed, "all")
  return [
    await Trial.row(`(b) ${name}: unique headings`, unique.map(very), engines, target),
    await Trial.row(`(b) ${name}: all, any section of that heading`, all.map(alike), engines, target),
    await Trial.row(`(b) ${name}: all, that very section`, all.map(very), engines)
  ]
}

/** A heading of words: not "[Reserved]", "Repealed", or a number. */
const isAsked = (heading: string): boolean =>
  (heading.match(/\p{L}{3,}/gu) ?? []).length >= 1 &&
  !/^\W*(repealed|reserved|omitted|expired|transferred|vacant|renumbered)\b/i.test(heading)

const keyOf = ({ section }: Placed): string =>
  section.heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
