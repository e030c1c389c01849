/**
 * Recognises columns of cards without a name by their texts: organisations, places, the pay of jobs.
 *
 * A column is used only if most of its texts are of the kind, and no other column is of that kind.
 */
import * as PlaceName from "../value/PlaceName.ts"
import type { CandidateValue } from "./CandidateValue.ts"
import * as Names from "./Names.ts"
import { isOrganization } from "./unlabelledText.ts"
import type { One, Rows } from "./Wanted.ts"

type Row = ReadonlyMap<string, CandidateValue>

/** The key of the only column that is what the property asks for; undefined if none is, or several are. */
export const unnamedColumn = (
  one: One,
  keys: ReadonlyArray<string>,
  sample: ReadonlyArray<Row>,
  language: string | undefined
): string | undefined => {
  const isOf = kinds.get(one.name.length === 1 ? (Names.conceptOf(one.name)?.id ?? "") : "")
  const isText = one.expected.schemas.some(({ format, type }) => type === "string" && format === undefined)
  if (isOf === undefined || !isText) return undefined
  const [only, second] = keys.filter((key) => {
    const rows = sample.filter((row) => isUnnamed(row.get(key)))
    return (
      rows.length >= sample.length * most &&
      isOf(
        rows.map((row) => [String(row.get(key)?.data), row]),
        language
      )
    )
  })
  return second === undefined ? only : undefined
}

const most = 0.6

/** The name under which the pay of jobs stands, if the cards say a sum and nothing of what: jobs have a pay and no price. */
export const payOf = (one: One, { item, name }: Rows): ReadonlyArray<string> => {
  const isJob = [name, ...item.parts.map((part) => part.name)].some((some) => Names.conceptOf(some)?.id === "job")
  const hasPrice = item.parts.some((part) => Names.conceptOf(part.name)?.id === "price")
  const sum = sums.get(Names.conceptOf(one.name)?.id ?? "")
  return sum === undefined || !isJob || hasPrice ? [] : [sum]
}

const sums: ReadonlyMap<string, string> = new Map([
  ["salary", "price"],
  ["lowsalary", "min price"],
  ["highsalary", "max price"]
])

const isUnnamed = (leaf: CandidateValue | undefined): boolean =>
  leaf?.facet === "" &&
  leaf.value.source.kind === "block" &&
  leaf.path.own[0]?.word === "text" &&
  typeof leaf.data === "string"

type Texts = ReadonlyArray<readonly [text: string, row: Row]>

const areOrganizations = (texts: Texts): boolean =>
  texts.filter(([text, row]) => isOrganization(text) || hasLogo(row, text)).length >= texts.length * most

/** "Acme logo" is what the picture beside "Acme" shows. */
const hasLogo = (row: Row, name: string): boolean =>
  [...row.values()].some(
    ({ data, path }) =>
      path.own[0]?.word === "alt" &&
      /\blogo\b/i.test(String(data)) &&
      String(data)
        .replace(/\s*\blogo\b\s*(?:(?:of|von|de|du|di)\s)?/i, "")
        .trim() === name
  )

const arePlaces = (texts: Texts, language: string | undefined): boolean => {
  const places = texts.filter(([text]) => PlaceName.isPlace(text, language)).length
  const others = texts.filter(([text]) => PlaceName.isAnywhere(text)).length
  return places > 0 && places >= others && places + others >= texts.length * most
}

const kinds: ReadonlyMap<string, (texts: Texts, language: string | undefined) => boolean> = new Map([
  ["organization", areOrganizations],
  ["location", arePlaces]
])
