/**
 * The documentation of the API as topics (rules, operations, and every field of every operation), and a search of them.
 *
 * The same question gives the same topics. If the documentation lacks most important words of a question, no topic answers
 * it.
 */
import { isDull } from "#base/dullWords"
import { wordsOf } from "#base/Words"
import { type Field, type Operation, operations } from "./Operations.ts"
import { rules } from "./rules.ts"

export interface Topic {
  readonly title: string
  readonly text: string
  /** The part of the OpenAPI document that it describes; "": the whole API. */
  readonly pointer: string
}

interface Indexed {
  readonly topic: Topic
  readonly words: ReadonlyMap<string, number>
  readonly names: ReadonlySet<string>
}

interface Index {
  readonly topics: ReadonlyArray<Indexed>
  readonly rarity: ReadonlyMap<string, number>
}

/** The topics that answer a question, best first. */
export const answering = (question: string): ReadonlyArray<Topic> => {
  const { rarity, topics } = index()
  const questionTerms = new Set(termsOf(question).slice(0, maxWords))
  // A word that is in no topic counts less than a rare one: the question may still have an answer here.
  const strange = Math.log(1 + topics.length) * 0.6
  const whole = [...questionTerms].reduce((sum, word) => sum + (rarity.get(word) ?? strange), 0)
  const scored = topics
    .map(({ names, topic, words }) => {
      let score = 0
      let covered = 0
      let shared = 0
      for (const word of questionTerms) {
        const weight = rarity.get(word) ?? 0
        const n = words.get(word) ?? 0
        if (n === 0) continue
        covered += weight
        shared += 1
        score += (weight * n * 2.2) / (n + 1.2)
        if (names.has(word)) score += weight
      }
      // Names that are not in the question lower the score: the limit of map does not answer a question about crawl.
      const strangeNames = [...names].filter((name) => !questionTerms.has(name)).length
      return { topic, covered, shared, score: (score / (1 + 0.15 * strangeNames)) * (names.size === 0 ? 1.35 : 1) }
    })
    .filter(({ covered, shared }) => covered >= whole * (shared > 1 ? minCovered : 0.55) && covered > minWorth)
    .sort((a, b) => b.score - a.score || (a.topic.title < b.topic.title ? -1 : 1))
  const best = scored[0]?.score ?? 0
  return scored
    .filter(({ score }) => score >= best * 0.7)
    .slice(0, maxTopics)
    .map(({ topic }) => topic)
}

const maxWords = 60
const maxTopics = 3
/** The share of a question that a topic must contain, weighted by the rarity of words; and the minimum weight in all. */
const minCovered = 0.4
const minWorth = 1.5

let known: Index | undefined

const index = (): Index => {
  if (known !== undefined) return known
  const topics = [
    ...rules.map(({ asks, text, title }) => indexed({ title, text, pointer: pointerOf(text) }, `${asks} ${title}`, "")),
    ...operations().flatMap((operation) => [
      indexed(ofOperation(operation), namesOf(operation), namesOf(operation)),
      ...operation.fields.map((field) => {
        const topic = ofField(operation, field)
        return indexed(topic, `${field.name} ${topic.text}`, `${namesOf(operation)} ${field.name}`)
      })
    ])
  ]
  const rarity = new Map<string, number>()
  for (const { words } of topics) for (const word of words.keys()) rarity.set(word, (rarity.get(word) ?? 0) + 1)
  for (const [word, n] of rarity) rarity.set(word, Math.log(1 + (topics.length - n + 0.5) / (n + 0.5)))
  known = { topics, rarity }
  return known
}

const indexed = (topic: Topic, asks: string, names: string): Indexed => {
  const words = new Map<string, number>()
  for (const word of termsOf(topic.text)) words.set(word, Math.min(3, (words.get(word) ?? 0) + 0.5))
  for (const word of termsOf(asks)) words.set(word, Math.min(5, (words.get(word) ?? 0) + 2))
  return { topic, words, names: new Set(termsOf(names)) }
}

/** "/v2/crawl/{id}/errors" becomes "crawl errors". */
const namesOf = ({ path }: Operation): string => path.replace(/^\/v2|\{[^}]*\}/g, "").replaceAll("/", " ")

const ofOperation = ({ fields, method, path, pointer, statuses }: Operation): Topic => {
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  const names = fields.map(({ name }) => name)
  return {
    title: `${method} ${path}`,
    text: `${method} ${path}${required.length === 0 ? "" : ` needs ${required.join(", ")}`}${
      names.length === 0 ? "" : `; its fields are ${names.join(", ")}`
    }. It answers with the statuses ${statuses.join(", ")}.`,
    pointer
  }
}

const ofField = ({ method, path, pointer }: Operation, { description, name, required, type }: Field): Topic => ({
  title: `${name} of ${method} ${path}`,
  text: `\`${name}\` of ${method} ${path} is ${type}${required ? ", and required" : ""}${
    description === "" ? "" : `: ${description}`
  }.`,
  pointer
})

/** The first operation that a rule names. */
const pointerOf = (text: string): string => {
  const [, method, path] = /\b(GET|POST|DELETE) (\/v2\/[\w/{}-]+)/.exec(text) ?? []
  return operations().find((one) => one.method === method && one.path === path)?.pointer ?? ""
}

/** The words to compare: names of fields also by their parts, without endings, and synonyms as one word. */
const termsOf = (text: string): ReadonlyArray<string> =>
  wordsOf(
    text
      .replace(/\b[a-z]+(?:[A-Z][a-zA-Z]*)+/g, (name) => `${name} ${name.split(/(?=[A-Z])/).join(" ")}`)
      .replace(/_/g, " ")
  )
    .filter((word) => (word === "page" || !isDull(word)) && !common.has(word) && (word.length > 1 || /\d|k/.test(word)))
    .map(stem)
    .map((word) => same.get(word) ?? word)

const common = new Set(
  "api v2 use using used not no if but so its why has have had been am am get gets got want need should would could work works millrace firecrawl does did please help know tell when set then than only very also about into out many much long some mean meaning one don doesn isn can my any you your does".split(
    " "
  )
)

const stem = (word: string): string => {
  const bare = word.length > 5 ? word.replace(/(?:ing|ed|er|ation|ion)$/, "") : word
  return bare.length > 4 ? bare.replace(/(?<=([lpt]))\1$/, "").replace(/e$/, "") : bare
}

const same = new Map(
  Object.entries({
    limit: "maximum highest largest biggest longest length upper cap ceiling max most",
    cost: "price pric credit bill charg pay expensiv cheap",
    url: "link address urls",
    key: "token apikey credential password login",
    retain: "kept keep retent stor expir expire available surviv",
    job: "task",
    stop: "cancel abort kill halt",
    retry: "again repeat retri",
    site: "websit website domain",
    start: "begin default",
    slow: "delay polit",
    timeout: "tim timeout slow"
  }).flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const))
)
