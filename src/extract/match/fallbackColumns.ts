/**
 * The columns of a list that answer a property which none answers by its name.
 *
 * A column is used only if it can mean nothing else: the name of a row for what its list is of, the only day for a day.
 * It counts less than a column whose name matches.
 */
import type { Thing } from "../Candidates.ts"
import { fit } from "../value/fit.ts"
import * as PlaceName from "../value/PlaceName.ts"
import type { CandidateValue } from "./CandidateValue.ts"
import { entities } from "./Concepts.ts"
import * as Names from "./Names.ts"
import type { Scorer } from "./Scorer.ts"
import { isOrganization } from "./unlabelledText.ts"
import { isOpaque, type One, type Rows } from "./Wanted.ts"

/** A column by its key and its place. */
interface Ranked {
  readonly key: string
  readonly score: number
  readonly column: number
}

interface Columns {
  readonly keys: ReadonlyArray<string>
  readonly sample: ReadonlyArray<ReadonlyMap<string, CandidateValue>>
  readonly things: ReadonlyArray<Thing>
  /** Those that answer by their names. */
  readonly rank: (one: One) => ReadonlyArray<Ranked>
}

export const fallbackColumns = (
  one: One,
  rows: Rows,
  { keys, rank, sample, things }: Columns,
  scorer: Scorer
): ReadonlyArray<Ranked> => {
  const found = called(one, rows, rank).filter(({ key }) => !isPassage.has(conceptOf(one)) || isLong(key, sample))
  if (found.length > 0) return found
  const only = typed(one, keys, sample, scorer)
  if (only.length > 0) return only
  const shown = unnamedColumn(one, keys, sample, scorer.setting.language)
  if (shown !== undefined) return [{ key: shown, score: 0.6, column: keys.indexOf(shown) }]
  const own = isOwnName(one, rows) ? first(one, things[0], keys) : []
  return own.length === 0 && (isOwnName(one, rows) || isTitle(one)) ? firstText(keys, sample) : own
}

const conceptOf = (one: One): string => Names.conceptOf(one.name)?.id ?? ""

/** What is said in sentences: a word or two ("sold out") are not a description. */
const isPassage: ReadonlySet<string> = new Set(["description"])

const isLong = (key: string, sample: Columns["sample"]): boolean => {
  const texts = sample.flatMap((row) => row.get(key) ?? []).map(({ data }) => String(data))
  const words = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  const sentences = texts.filter((text) => sentence.test(text)).length
  return words >= texts.length * 4 || letters >= texts.length * 30 || sentences >= texts.length * 0.8
}

/** Two words and a full stop: "First tool." */
const sentence = /\p{L}\s\S.*[.!?。！？]$/su

/**
 * The `position` of a row that says no such thing is what the row is called; and what a row is about is what it is
 * called: the `name` of a row with a `Member`.
 */
const called = <A extends Ranked>(one: One, rows: Rows, rank: (wanted: One) => ReadonlyArray<A>): ReadonlyArray<A> => {
  const concept = conceptOf(one)
  const others =
    (entities.has(concept) && !hasName(one, rows)) || isOwnName(one, rows)
      ? ["title"]
      : concept === "title" && one.name.length === 1
        ? ["person", ...entities]
        : (substitutes.get(concept) ?? payOf(one, rows))
  for (const [i, other] of others.entries()) {
    const wanted = {
      ...one,
      id: one.id + maxAsked * (i + 1),
      name: Names.parse(other),
      title: [],
      sentence: [],
      around: []
    }
    const found = rank(wanted)
    // What stands for another thing is less sure than what is it.
    const factor = entities.has(concept) || concept === "title" ? 1 : 0.7
    if (found.length > 0) return found.map((column) => ({ ...column, score: column.score * factor }))
  }
  return []
}

/** Whether what a row is called answers another property: then it is not the `role` of the row. */
const hasName = (one: One, { item }: Rows): boolean =>
  item.parts.some((part) => part !== one && part._tag === "One" && isTitle(part))

/** What stands for what in a row that says it in no other way. */
const substitutes: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["term", ["title"]],
  ["person", ["title"]],
  ["description", ["body"]],
  ["definition", ["body"]],
  ["answer", ["body"]]
])

/** The `plan` of each of the `plans` is what it is called. */
const isOwnName = ({ name }: One, rows: Rows): boolean =>
  name.length === 1 && rows.name.some(({ isHead, word }) => isHead && word === name[0]?.word)

/**
 * A day or an e-mail address whose name says nothing known, `on` or `x1`: the only such column of the rows is it. Never
 * for other types: any text would do.
 */
const typed = (
  one: One,
  keys: ReadonlyArray<string>,
  sample: ReadonlyArray<ReadonlyMap<string, CandidateValue>>,
  scorer: Scorer
): ReadonlyArray<Ranked> => {
  const isTyped = one.expected.schemas.some(({ format }) => typeof format === "string" && telling.test(format))
  if (!isTyped || !isOpaque(one.name)) return []
  const found = keys.flatMap((key, column) => {
    const fits = sample.filter((row) => {
      const leaf = row.get(key)
      return leaf?.facet === "" && (fit(leaf.data, one.expected, scorer.setting)?.fit ?? 0) >= 0.9
    }).length
    return fits >= sample.length * 0.6 ? [{ key, column, score: 0.55 }] : []
  })
  return found.length === 1 ? found : []
}

/** Rows of a table are called by their first cell. */
const first = ({ expected }: One, thing: Thing | undefined, [key]: ReadonlyArray<string>): ReadonlyArray<Ranked> => {
  const isText = expected.schemas.some(({ format, type }) => type === "string" && format === undefined)
  return isText && thing?.source.kind === "table" && key !== undefined ? [{ key, score: 0.6, column: 0 }] : []
}

const isTitle = (one: One): boolean => one.name.length === 1 && conceptOf(one) === "title"

/** Cards without a heading are called by their first short text, where each has another one. */
const firstText = (
  keys: ReadonlyArray<string>,
  sample: ReadonlyArray<ReadonlyMap<string, CandidateValue>>
): ReadonlyArray<Ranked> => {
  const column = keys.findIndex((key) => sample.some((row) => isText(row.get(key))))
  const key = keys[column]
  if (key === undefined) return []
  const texts = sample.flatMap((row) => (isText(row.get(key)) ? [String(row.get(key)?.data)] : []))
  const isName = texts.every((text) => text.length <= maxName && /\p{L}{2}/u.test(text) && !sentence.test(text))
  return isName && texts.length === sample.length && new Set(texts).size === texts.length
    ? [{ key, column, score: 0.6 }]
    : []
}

/** Whether it is a text without a name, in the first place of its card. */
const isText = (leaf: CandidateValue | undefined): boolean =>
  leaf?.facet === "" &&
  leaf.value.source.kind === "block" &&
  leaf.path.own.length === 1 &&
  leaf.path.own[0]?.word === "text"

const maxName = 80

const telling = /^(?:date|date-time|email)$/
const maxAsked = 10_000

type Row = ReadonlyMap<string, CandidateValue>

/*
 * Recognises columns of cards without a name by their texts: organisations, places, the pay of jobs.
 *
 * A column is used only if most of its texts are of the kind, and no other column is of that kind.
 */

/** The key of the only column that is what the property asks for; undefined if none is, or several are. */
const unnamedColumn = (
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
const payOf = (one: One, { item, name }: Rows): ReadonlyArray<string> => {
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
