/**
 * Documents of a page, parsed from JSON already, checked against what the service promises: `node decode.ts <way> <count>`, as
 * nanoseconds of CPU for each.
 *
 * 500 different documents, used again and again; each way says yes to all of them and no to one whose title is a number.
 */
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PageDocument } from "../../../src/contract/PageDocument.ts"

const [way = "", count = "0"] = process.argv.slice(2)

const documents: ReadonlyArray<unknown> = Array.from({ length: 500 }, (_, at) => ({
  markdown: `# Page ${at}\n\n${"some words of a page ".repeat(190)}`,
  links: Array.from({ length: at % 16 }, (_, link) => `https://example.com/${at}/${link}`),
  metadata: {
    title: `Page ${at}`,
    ...(at % 3 === 0 ? {} : { description: `What page ${at} is about` }),
    language: "en",
    sourceURL: `https://example.com/${at}`,
    url: `https://example.com/${at}`,
    statusCode: 200,
    contentType: "text/html",
    scrapeId: `scrape-${at}`,
    proxyUsed: "basic",
    cacheState: "miss",
    creditsUsed: 1,
    "og:type": "article",
    viewport: "width=device-width"
  }
}))
const wrong = { markdown: "", metadata: { title: 1, sourceURL: "", url: "", statusCode: 200, scrapeId: "" } }

type Check = (document: unknown) => boolean

/** Our reader of the crawl source, which makes a page from a document. */
const reader = async (): Promise<Check> => {
  const { pagesTable } = await import("../../../connectors/webdata/crawl/pagesTable.ts")
  const read = await Effect.runPromise(pagesTable({ formats: ["markdown", "links"] }).reader)
  return (document) => read(document)._tag === "Success"
}

/** Written by hand for the fields that these documents have: the least that a check can cost. */
const byHand: Check = (document) => {
  const { links, markdown, metadata } = document as Partial<PageDocument>
  if (markdown !== undefined && typeof markdown !== "string") return false
  if (links !== undefined && !(Array.isArray(links) && links.every((link) => typeof link === "string"))) return false
  if (typeof metadata !== "object" || metadata === null) return false
  for (const name of ["sourceURL", "url", "scrapeId"]) if (typeof metadata[name] !== "string") return false
  if (!Number.isSafeInteger(metadata.statusCode)) return false
  for (const name of ["title", "description", "language", "contentType", "proxyUsed"]) {
    if (metadata[name] !== undefined && typeof metadata[name] !== "string") return false
  }
  return metadata.cacheState === undefined || metadata.cacheState === "hit" || metadata.cacheState === "miss"
}

const ways: Readonly<Record<string, () => Promise<Check>>> = {
  ours: async () => {
    await import("./jit.ts")
    return reader()
  },
  interpreter: reader,
  "by hand": async () => byHand,
  ajv: async () => {
    const { PageDocument } = await import("../../../src/contract/PageDocument.ts")
    const { definitions, schema } = Schema.toJsonSchemaDocument(PageDocument)
    return new Ajv2020({ strict: false }).compile({ ...schema, $defs: definitions })
  }
}

const check = await ways[way]?.()
if (check === undefined) throw new Error(`no way is called ${way}; there are ${Object.keys(ways).join(", ")}`)
if (check(wrong)) throw new Error(`${way} takes what is no document`)
const rounds = Math.floor(Number(count) / documents.length)
let right = 0
const began = process.cpuUsage()
for (let round = 0; round < rounds; round++) for (const document of documents) if (check(document)) right += 1
const { user, system } = process.cpuUsage(began)
console.log(JSON.stringify({ count: right, figures: { "ns/document": ((user + system) * 1000) / right } }))
