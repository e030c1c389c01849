/**
 * Corrects the parameters of a call: their names, the types and limits of their values, and their places.
 *
 * The result fits the contract, or there is no result; each change is reported. Values that only the caller can know,
 * such as a URL or a question, are never invented.
 */
import { isList, type Json } from "#contract/JsonSchema"
import type { Correction } from "#contract/Support"
import { type Call, isObject } from "./Calls.ts"
import { operations, type Rule } from "./Operations.ts"
import { type Request, requests, scrapeFields } from "./requests.ts"

export type Corrected =
  | { readonly _tag: "Right" }
  | { readonly _tag: "Corrected"; readonly correction: Correction }
  /** Faults that only the caller can correct. */
  | { readonly _tag: "Unknown"; readonly faults: ReadonlyArray<string> }

type Values = Record<string, Json>

export const correct = (call: Call): Corrected => {
  const request = requests[call.name]
  const changes: Array<string> = []
  if (call.written !== undefined) changes.push(`the path is ${request.method} ${request.path}, not ${call.written}`)
  const values: Values = structuredClone(call.parameters)
  for (let round = 0; round < maxRounds; round++) {
    const fault = request.faults(values)[0]
    if (fault === undefined) break
    const path = fault.path.filter((step) => typeof step === "string" || typeof step === "number")
    const change = mend(request, values, path, fault.message)
    if (change === undefined) return { _tag: "Unknown", faults: faultsOf(request, values) }
    changes.push(change)
  }
  if (request.faults(values).length > 0) return { _tag: "Unknown", faults: faultsOf(request, values) }
  if (changes.length === 0) return { _tag: "Right" }
  return { _tag: "Corrected", correction: { method: request.method, path: request.path, parameters: values, changes } }
}

const maxRounds = 60

const faultsOf = (request: Request, values: Values): ReadonlyArray<string> =>
  request.faults(values).map(({ message, path }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))

/** Corrects one fault, and describes the change. Returns undefined if the correction is not known. */
const mend = (request: Request, values: Values, path: ReadonlyArray<string | number>, message: string) => {
  const [top] = path
  if (typeof top !== "string") return undefined
  if (message === "unknown field") return place(request, values, path)
  const isNested = top === "scrapeOptions" && isObject(values[top]) && path.length > 1
  const holder = isNested && isObject(values["scrapeOptions"]) ? { ...values["scrapeOptions"] } : values
  const name = isNested ? String(path[1]) : top
  if (!(name in holder)) return undefined
  const before = holder[name]
  const after = name === "formats" ? formats(before) : fitted(before, ruleOf(request, name, isNested))
  if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) {
    if (required.has(name)) return undefined
    delete holder[name]
    if (isNested) values["scrapeOptions"] = holder
    return `${name} is left out: ${message}`
  }
  holder[name] = after
  if (isNested) values["scrapeOptions"] = holder
  return `${name} is ${JSON.stringify(after)}, not ${JSON.stringify(before)}`
}

const required = new Set(["url", "urls", "query", "prompt"])

/** Corrects an unknown field: renames it, moves it, or removes it. */
const place = (request: Request, values: Values, path: ReadonlyArray<string | number>): string | undefined => {
  const [top, second] = path
  if (path.length === 1 && typeof top === "string") {
    const value = values[top]
    delete values[top]
    const meant =
      top === "limit" && request.fields.has("k") ? { name: "k", value: value ?? null } : renamed(top, value ?? null)
    const target =
      meant?.name ?? (request.nests && scrapeFields.has(top) ? top : nearest(top, [...request.fields, ...scrapeFields]))
    if (target === undefined) return `${top} is left out: ${request.path} has no such field`
    const content = meant === undefined ? (value ?? null) : meant.value
    if (target === "" || content === undefined) return `${top} is left out: ${meant?.why ?? "there is no such field"}`
    if (target === "..." && isObject(content)) {
      for (const [name, inner] of Object.entries(content)) values[name] ??= inner
      return `the fields of ${top} belong at the top`
    }
    if (target === "formats" && isList(content) && meant?.name === target) {
      const options = request.nests && isObject(values["scrapeOptions"]) ? values["scrapeOptions"] : undefined
      const before = options?.["formats"] ?? values["formats"]
      const others = (isList(before) ? before : []).filter((format) => !isJson(format))
      if (request.nests) values["scrapeOptions"] = { ...options, formats: [...others, ...content] }
      else values["formats"] = [...others, ...content]
      return `${top} is a format, such as { "type": "json" }`
    }
    if (request.fields.has(target)) {
      if (values[target] !== undefined) return `${top} is left out: ${target} sets it already`
      values[target] = content
      return target === top ? `${top} is changed` : `${top} is called ${target}`
    }
    if (request.nests && scrapeFields.has(target)) {
      const options = isObject(values["scrapeOptions"]) ? values["scrapeOptions"] : {}
      values["scrapeOptions"] = { ...options, [target]: options[target] ?? content }
      return `${top} belongs in scrapeOptions${target === top ? "" : `, as ${target}`}`
    }
    return `${top} is left out: ${request.path} has no such field`
  }
  const holder = typeof top === "string" ? values[top] : undefined
  if (path.length !== 2 || typeof top !== "string" || typeof second !== "string" || !isObject(holder)) {
    if (typeof top !== "string" || required.has(top)) return undefined
    delete values[top]
    return `${top} is left out: it has fields that do not exist`
  }
  const { [second]: value = null, ...rest } = holder
  const meant = top === "scrapeOptions" ? renamed(second, value) : undefined
  const target = meant?.name ?? (top === "scrapeOptions" ? nearest(second, [...scrapeFields]) : undefined)
  values[top] = rest
  if (top === "scrapeOptions" && target !== undefined && scrapeFields.has(target) && meant?.value !== undefined) {
    values[top] = { ...rest, [target]: rest[target] ?? meant.value }
    return `${second} is called ${target}`
  }
  if (top === "scrapeOptions" && target !== undefined && scrapeFields.has(target)) {
    values[top] = { ...rest, [target]: value }
    return `${second} is called ${target}`
  }
  if (top === "scrapeOptions" && request.fields.has(second)) {
    values[second] ??= value
    return `${second} belongs at the top, not in scrapeOptions`
  }
  return `${top}.${second} is left out: there is no such field`
}

const ruleOf = ({ path }: Request, name: string, isNested: boolean): Rule | undefined => {
  const own = operations().find((one) => one.method === "POST" && one.path === (isNested ? "/v2/scrape" : path))
  return own?.fields.find((field) => field.name === name)?.rule
}

/** Converts a value to the type and limits of its field. Returns undefined if that is not possible. */
const fitted = (value: Json | undefined, rule: Rule | undefined): Json | undefined => {
  if (rule === undefined || value === undefined) return undefined
  const { choices, maximum, minimum, types } = rule
  if (types.has("array") && !isList(value)) return typeof value === "string" ? [value] : undefined
  if (types.has("boolean") && typeof value !== "boolean") return truths.get(String(value).toLowerCase())
  if (types.has("integer") || types.has("number")) {
    const number = typeof value === "number" ? value : Number(String(value).trim() === "" ? Number.NaN : value)
    if (Number.isNaN(number)) return undefined
    const whole = types.has("number") ? number : Math.round(number)
    return Math.min(maximum ?? Number.POSITIVE_INFINITY, Math.max(minimum ?? Number.NEGATIVE_INFINITY, whole))
  }
  if (choices.length > 0) return typeof value === "string" ? nearest(value, choices) : undefined
  if (types.has("string") && typeof value === "string") {
    const text = value.trim()
    return URL.canParse(text) || !/^[\w-]+(?:\.[\w-]+)+(?:[/:?]\S*)?$/.test(text) ? undefined : `https://${text}`
  }
  return undefined
}

const truths = new Map<string, boolean>([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false]
])

/** Whether it is the format `json`, under any name that it had. */
const isJson = (format: Json): boolean => {
  const name = isObject(format) ? format["type"] : format
  return name === "json" || name === "extract" || name === "llm-extract"
}

const known = "markdown html rawHtml links images summary json changeTracking screenshot attributes".split(" ")

const shorts: Readonly<Record<string, string>> = { md: "markdown", raw: "rawHtml", text: "markdown", image: "images" }

/** Corrects the formats: known names, with the fields that they need. */
const formats = (value: Json | undefined): Json | undefined => {
  const list = isList(value) ? value : [value ?? null]
  const right = list.flatMap((format): ReadonlyArray<Json> => {
    const given = isObject(format) ? String(format["type"] ?? "") : String(format)
    if (given === "screenshot@fullPage") return [format]
    const name = isJson(format) ? "json" : (shorts[given] ?? nearest(given, known) ?? "")
    if (name === "") return []
    if (name === "json") {
      const { prompt, schema } = isObject(format) ? format : {}
      const what = { ...(isObject(schema) ? { schema } : {}), ...(typeof prompt === "string" ? { prompt } : {}) }
      return [
        { type: "json", ...(Object.keys(what).length === 0 ? { prompt: "what you want to know of the page" } : what) }
      ]
    }
    if (name === "attributes") return isObject(format) && isList(format["selectors"]) ? [format] : []
    return [isObject(format) && name === given ? format : name]
  })
  return right.length === 0 ? ["markdown"] : right
}

interface Meant {
  /** The present name; "": there is none; "...": the fields inside belong at the top. */
  readonly name: string
  readonly value: Json | undefined
  readonly why?: string
}

/** Names that fields had in earlier versions of this API, or have in other APIs, with their present names. */
const renamed = (name: string, value: Json): Meant | undefined => {
  const plain = name.replaceAll(/[_-]/g, "").toLowerCase()
  const now = names[plain]
  if (now !== undefined) return { name: now, value }
  if (plain === "ignoresitemap") return { name: "sitemap", value: value === true ? "skip" : "include" }
  if (plain === "sitemaponly") return value === true ? { name: "sitemap", value: "only" } : undefined
  if (plain === "pageoptions" || plain === "crawleroptions" || plain === "searchoptions") {
    return isObject(value) ? { name: "...", value } : { name: "", value, why: "its fields belong at the top" }
  }
  if (plain === "jsonoptions" || plain === "extractoroptions" || plain === "extract") {
    const { extractionPrompt, extractionSchema, prompt, schema } = isObject(value) ? value : {}
    const what = schema ?? extractionSchema
    const words = prompt ?? extractionPrompt
    return {
      name: "formats",
      value: [
        {
          type: "json",
          ...(what === undefined ? {} : { schema: what }),
          ...(words === undefined ? {} : { prompt: words })
        }
      ]
    }
  }
  return undefined
}

const names: Readonly<Record<string, string>> = {
  maxdepth: "maxDiscoveryDepth",
  depth: "maxDiscoveryDepth",
  maxpages: "limit",
  numresults: "limit",
  num: "limit",
  count: "limit",
  maxresults: "limit",
  topk: "limit",
  allowbackwardlinks: "crawlEntireDomain",
  allowbackwardcrawling: "crawlEntireDomain",
  allowexternalcontentlinks: "allowExternalLinks",
  includes: "includePaths",
  include: "includePaths",
  excludes: "excludePaths",
  exclude: "excludePaths",
  onlyincludetags: "includeTags",
  removetags: "excludeTags",
  waitforms: "waitFor",
  wait: "waitFor",
  timeoutms: "timeout",
  ttl: "maxAge",
  q: "query",
  link: "url",
  uri: "url",
  website: "url",
  starturl: "url",
  links: "urls",
  webhookurl: "webhook",
  format: "formats",
  outputformats: "formats",
  concurrency: "maxConcurrency",
  systemmessage: "systemPrompt",
  ignorerobots: "ignoreRobotsTxt",
  domains: "includeDomains",
  domain: "includeDomains"
}

/** The choice that differs from the name only in case and separators, or in one or two letters. */
const nearest = (name: string, choices: ReadonlyArray<string>): string | undefined => {
  const plain = (text: string) => text.replaceAll(/[_\-\s]/g, "").toLowerCase()
  const own = plain(name)
  const most = own.length > 5 ? 2 : 1
  return choices
    .map((choice) => ({ choice, far: distance(own, plain(choice), most) }))
    .filter(({ far }) => far <= most && own.length > 2)
    .toSorted((a, b) => a.far - b.far)[0]?.choice
}

/** The edit distance; more than `most` if the lengths differ by more. */
const distance = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
