/**
 * Data without a schema: what the prompt names, else the main things of the page.
 *
 * The shape is stable: for questions their answers (`answer/answers`), or the list that they ask for; for another prompt
 * one object with a property for each thing that it names, in its order; else `{ url, title, description, things, lists,
 * facts }`. What a prompt names and the page does not say is null and listed; words of a prompt that name nothing known
 * are not names.
 */

import { pointerOf } from "#base/pointerOf"
import { isSchema, type Json, type JsonSchema } from "#contract/JsonSchema"
import type { Candidates, Extracted, Property, Source, Thing } from "../Candidates.ts"
import { entities } from "../match/Concepts.ts"
import { match } from "../match/Matcher.ts"
import * as Names from "../match/Names.ts"
import { cutWarning } from "../page/Budget.ts"
import type { PageLocale } from "../value/PageLocale.ts"
import { answersOf } from "./answers.ts"
import type { Passages } from "./Passages.ts"
import * as Question from "./Question.ts"

/** `passages`: those of the page, read where questions are asked. */
export const promptedData = (
  candidates: Candidates,
  setting: PageLocale,
  prompt: string,
  passages?: () => Passages
): Extracted => {
  const all = passages === undefined ? [] : Question.all(prompt)
  // "What is the price?" names a value, and no more.
  const questions = all.every(Question.isName) ? [] : all
  if (passages !== undefined && questions.length > 0) {
    const listed = listOf(candidates, setting, prompt, questions)
    return listed ?? answersOf(questions, passages())
  }
  const schema = everything.test(prompt) ? undefined : schemaOf(prompt, candidates)
  return schema === undefined ? mainThings(candidates, setting) : match(candidates, schema, setting, prompt)
}

/** "Which lamps are in stock, and what do they cost?" asks for rows, where the page has such. */
const listOf = (
  candidates: Candidates,
  setting: PageLocale,
  prompt: string,
  questions: ReadonlyArray<Question.Question>
): Extracted | undefined => {
  const [, of] = which.exec(prompt) ?? []
  if (of === undefined) return undefined
  const names = questions.flatMap(({ terms }) =>
    terms.flatMap(({ concept }) => (concept === undefined ? [] : [concept.id]))
  )
  const fields = new Set([
    "name",
    ...names.filter((name) => name !== "title" && !Names.parse(of).some(({ concept }) => concept?.id === name)),
    "url"
  ])
  if (fields.size < 3) return undefined
  const items = { type: "object", properties: Object.fromEntries([...fields].map((name) => [name, {}])) }
  const schema = { type: "object", properties: { [keyOf(of)]: { type: "array", items } } }
  const found = match(candidates, schema, setting, prompt)
  return isSchema(found.data) && Array.isArray(found.data[keyOf(of)]) ? found : undefined
}

const which =
  /^\W*(?:which|what|welche|quels|quelles|cu[aá]les|quali)\s+(?:of the\s+|der\s+)?(\p{L}{2,30}(?:s|en|er|e|i))\s+(?:are|is|have|has|can|cost|do|sind|haben|sont|ont|son|est[aá]n|sono)\b/iu
const everything = /\b(?:everything|all (?:the )?(?:data|information|content|details)|alles|tout ce|todo lo)\b/i
const maxPrompt = 2000
const maxNames = 40

/** "The name and the price of all products" as a schema. */
const schemaOf = (prompt: string, candidates: Candidates): JsonSchema | undefined => {
  const phrases = phrasesOf(prompt.slice(0, maxPrompt))
  const known = phrases.filter((phrase) => isNamed(phrase, candidates)).slice(0, maxNames)
  // "Get the product" names nothing of it: all that the page says is meant.
  if (known.every(isThing)) return undefined
  const properties: JsonSchema = Object.fromEntries(known.map((phrase) => [keyOf(phrase), {}]))
  const listed = many.exec(prompt)?.[1]
  if (listed === undefined || known.length < 1) return { type: "object", properties }
  const key = keyOf(listed)
  const items = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== key))
  if (Object.keys(items).length === 0) return { type: "object", properties }
  return { type: "object", properties: { [key]: { type: "array", items: { type: "object", properties: items } } } }
}

/** "all products", "every job", "each of the sections". */
const many =
  /\b(?:all|every|each|list of|alle|tous les|toutes les|todos los|todas las)\s+(?:of\s+)?(?:the\s+)?(\p{L}{3,30})/iu

/** What stands between commas and "and", without what asks for it. */
const phrasesOf = (prompt: string): ReadonlyArray<string> =>
  prompt
    .split(/[,;:.?!\n()]|\b(?:and|or|und|et|y|e|with|including|plus|as well as|mit|avec|con|of|for|from|in|on)\b/i)
    .map((part) => part.replaceAll(asking, " ").trim())
    .filter((part) => part !== "" && part.split(/\s+/).length <= 5)

const asking =
  /\b(?:please|extract|get|give|me|find|return|list|collect|scrape|tell|show|what|which|is|are|was|who|when|where|the|a|an|all|every|each|this|that|these|its|their|page|site|website|information|info|data|details about|i want|i need|you|can|could|does|do|did|say|says|about|they|them|it|name of)\b/gi

/** Whether a phrase means something known, or something that the page has a name for. */
const isNamed = (phrase: string, { page }: Candidates): boolean => {
  const name = Names.parse(phrase)
  if (name.length === 0) return false
  if (Names.conceptOf(name) !== undefined) return true
  return page.properties.some(({ name: own }) => Names.likeness(name, Names.parse(own), []) >= 0.8)
}

/** "product", "job details": what the page is about, and no value of it. */
const isThing = (phrase: string): boolean => {
  const name = Names.parse(phrase)
  const isOf = (ids: ReadonlySet<string>) => (token: (typeof name)[number]) => ids.has(token.concept?.id ?? "")
  return name.some(isOf(entities)) && name.every((token) => isOf(entities)(token) || isOf(whole)(token))
}

const whole: ReadonlySet<string> = new Set(["description", "offer"])

const keyOf = (phrase: string): string =>
  phrase
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join("_")

/** Everything, with its sources. */
const mainThings = ({ groups, isCut, page, things }: Candidates, { url }: PageLocale): Extracted => {
  const sources = new Map<string, Source>()
  const plain = (name: RegExp, pointer: string): Json => {
    const found = page.properties.find(({ name: own, value }) => name.test(own) && value._tag === "Value")?.value
    if (found?._tag !== "Value") return null
    sources.set(pointer, found.source)
    return found.data
  }
  const title = plain(/^(?:h1|heading|title|og:title)$/i, "/title")
  const description = plain(/^(?:description|og:description)$/i, "/description")
  const shown = (thing: Thing, pointer: string): Json => jsonOf(thing, pointer, sources, 0)
  const lists = groups
    .filter(({ source }) => source.kind === "table" || source.kind === "block")
    .map(
      (group, i): Json => ({
        name: group.name ?? null,
        rows: group.things.map((thing, j) => shown(thing, `/lists/${i}/rows/${j}`))
      })
    )
  const facts = page.properties.filter((one, _, all) => isFact(one, all))
  return {
    data: {
      url,
      title,
      description,
      things: things.map((thing, i) => shown(thing, `/things/${i}`)),
      lists,
      facts: jsonOf({ ...page, properties: facts }, "/facts", sources, 0)
    },
    sources,
    missing: [...(title === null ? ["/title"] : []), ...(description === null ? ["/description"] : [])],
    ...(isCut ? { warning: cutWarning } : {})
  }
}

/** What stands under a name; a class that comes once names a sum or a state, and others are for looks. */
const isFact = ({ name, value }: Property, all: ReadonlyArray<Property>): boolean => {
  if (value._tag !== "Value") return false
  const { kind } = value.source
  if (kind !== "block") return kind === "definition" || kind === "label" || kind === "table"
  const isState = /^(?:money|status)$/.test(Names.conceptOf(Names.parse(name))?.kind ?? "")
  return isState && all.filter((one) => one.name === name).length === 1
}

/** A thing as JSON: what comes several times is a list. */
const jsonOf = ({ properties, types }: Thing, pointer: string, sources: Map<string, Source>, depth: number): Json => {
  const found = new Map<string, Array<Json>>()
  const [type] = types
  for (const { name, value } of properties) {
    const known = found.get(name) ?? []
    found.set(name, known)
    if (value._tag === "Value") {
      known.push(value.data)
      const at = pointerOf(pointer, name)
      if (!sources.has(at)) sources.set(at, value.source)
    } else if (depth < 4) known.push(jsonOf(value, pointerOf(pointer, name), sources, depth + 1))
  }
  const entries = Array.from(found, ([name, values]): readonly [string, Json] => [
    name,
    values.length === 1 ? (values[0] ?? null) : values
  ])
  return Object.fromEntries([...(type === undefined ? [] : [["type", type] as const]), ...entries])
}
