/**
 * Finds the calls in a question: curl, calls of SDKs, and bare JSON.
 *
 * Only the first few are read, and none is executed.
 */

import * as lenientJson from "#base/lenientJson"
import type { Json } from "#contract/JsonSchema"
import { type Name, requests } from "./requests.ts"

export interface Call {
  readonly name: Name
  readonly parameters: { readonly [name: string]: Json }
  /** The path in the question, if it is not the path of the contract. */
  readonly written?: string
}

export const callsIn = (question: string): ReadonlyArray<Call> => {
  const callTexts = [...sdkCalls(question), ...bodies(question)]
  return callTexts.slice(0, maxCalls)
}

const maxCalls = 3

/** The names of SDK methods, without `_` and in lower case. */
const methods: Readonly<Record<string, Name>> = {
  scrape: "scrape",
  scrapeurl: "scrape",
  crawl: "crawl",
  crawlurl: "crawl",
  startcrawl: "crawl",
  asynccrawlurl: "crawl",
  map: "map",
  mapurl: "map",
  search: "search",
  batchscrape: "batch",
  startbatchscrape: "batch",
  batchscrapeurls: "batch",
  extract: "extract",
  startextract: "extract",
  agent: "agent",
  startagent: "agent"
}

const sdkCalls = (question: string): ReadonlyArray<Call> =>
  [...question.matchAll(/\b[\w)]+\.([A-Za-z_]+)\s*\(/g)].flatMap((match): ReadonlyArray<Call> => {
    const name = methods[(match[1] ?? "").replaceAll("_", "").toLowerCase()]
    const args = name === undefined ? undefined : lenientJson.args(question, match.index + match[0].length)
    if (name === undefined || args === undefined) return []
    const [first, second] = args.positional
    const lead = isObject(first) ? first : first === undefined ? {} : { [leads[name]]: first }
    const parameters = { ...lead, ...(isObject(second) ? second : {}), ...camel(args.named) }
    return [{ name, parameters: withoutOwn(parameters, name) }]
  })

const leads: Readonly<Record<Name, string>> = {
  scrape: "url",
  crawl: "url",
  map: "url",
  search: "query",
  govSearch: "query",
  batch: "urls",
  extract: "urls",
  agent: "prompt"
}

/** Removes parameters of the SDK itself, and puts the options of a batch into the body, as SDKs do. */
const withoutOwn = (parameters: { readonly [name: string]: Json }, name: Name) => {
  const { pollInterval: _poll, options, ...rest } = parameters
  const own =
    name === "batch" && isObject(options)
      ? { ...rest, ...options }
      : options === undefined
        ? rest
        : { ...rest, options }
  return own
}

/** Bodies of curl and bare JSON. Their operation is that of the path before them, of the text, or the one with most fields. */
const bodies = (question: string): ReadonlyArray<Call> => {
  const calls: Array<Call> = []
  for (let at = question.indexOf("{"); at !== -1 && calls.length < maxCalls; at = question.indexOf("{", at)) {
    const json = isInCall(question, at) ? undefined : lenientJson.value(question, at)
    if (json === undefined || !isObject(json.value) || Object.keys(json.value).length === 0) {
      at += 1
      continue
    }
    const before = question.slice(0, at)
    const [written = "", path = ""] =
      [...before.matchAll(/\/?\bv[012]\/([a-z/-]+)/g)].at(-1) ??
      [...before.matchAll(/(?:POST|GET) \/?((?:crawl|scrape|map|search|batch|extract|agent)[a-z/]*)/g)].at(-1) ??
      []
    const name = byPath.get(path.replace(/\/$/, "")) ?? named(question) ?? fitting(json.value)
    const own = requests[name].path
    const differs = written !== "" && `/${written.replace(/^(?:POST|GET) /, "").replace(/^\//, "")}` !== own
    calls.push({ name, parameters: json.value, ...(differs ? { written } : {}) })
    at = json.end
  }
  return calls
}

const byPath = new Map<string, Name>([
  ["scrape", "scrape"],
  ["crawl", "crawl"],
  ["map", "map"],
  ["search", "search"],
  ["search/gov", "govSearch"],
  ["batch/scrape", "batch"],
  ["extract", "extract"],
  ["agent", "agent"]
])

/** The operation that the question names before its first brace, if it names only one. */
const named = (question: string): Name | undefined => {
  const words =
    question
      .slice(0, question.indexOf("{"))
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  const names = new Set(
    words.flatMap((word) => byPath.get(word.replace(/(?:p?ing|er|s)$/, "")) ?? byPath.get(word) ?? [])
  )
  return names.size === 1 ? [...names][0] : undefined
}

const fitting = (parameters: object): Name => {
  const keys = Object.keys(parameters)
  const scores = [...byPath.values()].map((name) => ({
    name,
    score: keys.filter((key) => requests[name].fields.has(key)).length
  }))
  return scores.toSorted((a, b) => b.score - a.score)[0]?.name ?? "scrape"
}

/** Whether a brace is in the arguments of an SDK call, which `sdkCalls` reads. */
const isInCall = (question: string, at: number): boolean => {
  const open = [...question.slice(0, at).matchAll(/\b[\w)]+\.([A-Za-z_]+)\s*\(/g)].at(-1)
  return (
    open !== undefined &&
    methods[(open[1] ?? "").replaceAll("_", "").toLowerCase()] !== undefined &&
    !question.slice(open.index, at).includes(";")
  )
}

const camel = (named: { readonly [name: string]: Json }): { readonly [name: string]: Json } =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [camelOf(name), inner(value)]))

const inner = (value: Json): Json => (isObject(value) ? camel(value) : value)

const camelOf = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
