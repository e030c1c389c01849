/**
 * Names that fields had in earlier versions of this API, or have in other APIs, with their present names.
 */
import type { Json } from "#contract/JsonSchema"
import { isObject } from "./Calls.ts"

interface Meant {
  /** The present name; "": there is none; "...": the fields inside belong at the top. */
  readonly name: string
  readonly value: Json | undefined
  readonly why?: string
}

export const renamed = (name: string, value: Json): Meant | undefined => {
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
export const nearest = (name: string, choices: ReadonlyArray<string>): string | undefined => {
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
