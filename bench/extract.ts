/**
 * How right the extraction engine reads pages whose truth is known, by schemas written without a look at their markup.
 *
 *     node bench/extract.ts [--misses] [--truth FOLDER] [--keep FILE] [--gate FILE]
 *
 * The pages are those of the demo site (two seeds, two revisions): products, lists of products, jobs, the jobs board,
 * sections of law. They are read twice: as they are, and without their JSON-LD, by what they show. Precision is the
 * share of answers that are right, recall the share of what the page says that is answered rightly. The last tables count
 * values by the kind of their field (`ValueCounts`).
 *
 * --truth: also `court-lists-dev` and `real-estate-dev` of that folder, pages of others with their truth, and pages whose
 * microdata is hidden (`HiddenMarkup`). --keep writes the
 * right and wrong shares to a file; --gate fails if they are worse than in that file.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { gunzipSync } from "node:zlib"
import { pointerOf } from "../src/base/pointerOf.ts"
import type { Json, JsonSchema } from "../src/contract/JsonSchema.ts"
import { byRules } from "../src/extract/byRules.ts"
import * as Site from "../src/site/Site.ts"
import * as HiddenMarkup from "./HiddenMarkup.ts"
import * as ValueCounts from "./ValueCounts.ts"

const origin = "http://northmere.test"
const { values: flags } = parseArgs({
  options: {
    misses: { type: "boolean", default: false },
    truth: { type: "string" },
    keep: { type: "string" },
    gate: { type: "string" }
  }
})
const showsMisses = flags.misses

const text = { type: "string" } as const
const number = { type: "number" } as const
const date = { type: "string", format: "date" } as const
const object = (properties: { readonly [name: string]: Json }): JsonSchema => ({ type: "object", properties })
const list = (items: Json): JsonSchema => ({ type: "array", items })

const product = object({
  item_title: text,
  article_no: text,
  cost: number,
  cost_currency: text,
  in_stock: { type: "boolean" },
  customer_score: number,
  number_of_opinions: { type: "integer" },
  offers: list(
    object({ amount: number, currency: text, availability: { enum: ["InStock", "OutOfStock", "PreOrder"] } })
  )
})
const shelf = object({
  products: list(
    object({
      item_title: text,
      cost: number,
      cost_currency: text,
      in_stock: { type: "boolean" },
      link: { type: "string", format: "uri" }
    })
  )
})
const job = object({
  position: text,
  organisation: text,
  town: text,
  yearly_pay: number,
  pay_currency: text,
  contract: { type: "string", enum: ["full time", "part time", "temporary"] },
  advertised_on: date,
  apply_before: date,
  responsibilities: list(text)
})
const board = list(
  object({ position: text, organisation: text, yearly_pay: number, detail_url: { type: "string", format: "uri" } })
)
const section = object({
  section_no: text,
  heading: text,
  in_force_since: date,
  amended_by: list(object({ act: text, date: date, change: text }))
})

interface Read {
  readonly path: string
  readonly schema: JsonSchema
  readonly truth: { readonly [field: string]: Json }
}

const contracts = { FULL_TIME: "full time", PART_TIME: "part time", TEMPORARY: "temporary" } as const

const rowOf = (one: Site.Site["truth"]["things"]["products"][number]) => ({
  item_title: one.name,
  cost: Number(one.price),
  cost_currency: "GBP",
  in_stock: one.availability === "InStock",
  link: `${origin}${one.path}`
})

/** What is true of the pages, by what they are. */
const truths = (site: Site.Site) => {
  const { products, sections } = site.truth.things
  const jobs = site.truth.things.jobs.filter(({ open }) => open)
  const byPath = new Map(products.map((one) => [one.path, one]))
  const lists = [...site.pages.keys()].filter((path) => path.startsWith("/shop/c/"))
  const read: Readonly<Record<string, ReadonlyArray<Read>>> = {
    product: products.map((one) => {
      const { cost, cost_currency, in_stock, item_title } = rowOf(one)
      const { availability, path, rating, reviews, sku } = one
      const truth = {
        item_title,
        article_no: sku,
        cost,
        cost_currency,
        in_stock,
        customer_score: Number(rating),
        number_of_opinions: reviews,
        offers: [{ amount: cost, currency: cost_currency, availability }]
      }
      return { path, schema: product, truth }
    }),
    shelf: lists.map((path) => {
      const main = htmlOf(site, path).match(/<ul class="products">[\s\S]*?<\/ul>/)?.[0] ?? ""
      const rows = [...main.matchAll(/href="(\/shop\/p\/[^"]*)"/g)].flatMap(([, to = ""]) => byPath.get(to) ?? [])
      return { path, schema: shelf, truth: { products: rows.map(rowOf) } }
    }),
    job: jobs.map((one) => ({
      path: one.path,
      schema: job,
      truth: {
        position: one.title,
        organisation: one.employer,
        town: one.place,
        yearly_pay: one.salary,
        pay_currency: "GBP",
        contract: contracts[one.type],
        advertised_on: one.posted,
        apply_before: one.closes,
        responsibilities: [...one.duties]
      }
    })),
    board: [
      {
        path: "/jobs/",
        schema: board,
        truth: {
          "": jobs.map((one) => ({
            position: one.title,
            organisation: one.employer,
            yearly_pay: one.salary,
            detail_url: `${origin}${one.path}`
          }))
        }
      }
    ],
    section: sections.map((one) => ({
      path: one.path,
      schema: section,
      truth: {
        section_no: one.number,
        heading: one.title,
        in_force_since: one.effective,
        amended_by: one.amendments.map(({ day, ordinance, what }) => ({ act: ordinance, date: day, change: what }))
      }
    }))
  }
  return read
}

const htmlOf = (site: Site.Site, path: string): string =>
  new TextDecoder().decode(site.respond({ method: "GET", path, headers: {}, origin }).body)

interface Count {
  said: number
  answered: number
  right: number
  pages: Array<string>
}
const counts = new Map<string, Count>()
/** By the title of the set. */
const sets = new Map<string, ValueCounts.Counts>()

const count = (field: string, wanted: Json | undefined, found: Json | undefined, where: string): void => {
  const known = counts.get(field) ?? { said: 0, answered: 0, right: 0, pages: [] }
  counts.set(field, known)
  const isRight = isDeepStrictEqual(wanted ?? null, found ?? null)
  if (wanted !== undefined && wanted !== null) known.said++
  if (found !== undefined && found !== null) {
    known.answered++
    if (isRight) known.right++
  }
  if (!isRight)
    known.pages.push(
      `${where}: ${JSON.stringify(wanted)?.slice(0, 160)} read as ${JSON.stringify(found)?.slice(0, 160)}`
    )
}

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Comparison {
  readonly kinds: ValueCounts.Counts
  /** The schema of the field, and its pointer in the data. */
  readonly schema: Json
  readonly pointer: string
  readonly extracted: ReturnType<typeof byRules>
  readonly url: string
  readonly html: string
}

/** Rows are held against each other by their place, field by field. */
const compare = (
  field: string,
  wanted: Json | undefined,
  found: Json | undefined,
  where: string,
  of: Comparison
): void => {
  const rows = Array.isArray(wanted) ? wanted : []
  if (!isObject(rows[0])) {
    const truth = Array.isArray(wanted) && rows.length === 0 ? null : wanted
    count(field, truth, found, where)
    ValueCounts.add(of.kinds, of.schema, truth, { ...of, json: found })
    return
  }
  const row = isObject(of.schema) ? of.schema["items"] : undefined
  const others = Array.isArray(found) ? found : []
  for (let i = 0; i < Math.max(rows.length, others.length); i++) {
    const [truth, other] = [rows[i], others[i]]
    for (const name of Object.keys(rows[0])) {
      const one = isObject(truth) ? truth[name] : undefined
      const two = isObject(other) ? other[name] : undefined
      count(`${field}[].${name}`, one, two, `${where}#${i}`)
      const pointer = pointerOf(pointerOf(of.pointer, i), name)
      ValueCounts.add(of.kinds, partOf(row, name), one, { ...of, pointer, json: two })
    }
  }
}

const partOf = (schema: Json | undefined, name: string): Json => {
  const properties = isObject(schema) ? schema["properties"] : undefined
  return (isObject(properties) ? properties[name] : undefined) ?? {}
}

let pages = 0
let millis = 0
let bytes = 0

const run = (title: string, prepare: (html: string) => string, leftOut: ReadonlySet<string>): void => {
  counts.clear()
  const kinds: ValueCounts.Counts = new Map()
  sets.set(`demo site ${title}`, kinds)
  pages = millis = bytes = 0
  for (const seed of [1, 7]) {
    for (const revision of [1, 3]) {
      const site = Site.make({ seed, revision })
      for (const [kind, reads] of Object.entries(truths(site))) {
        for (const { path, schema, truth } of reads) {
          const html = prepare(htmlOf(site, path))
          const before = performance.now()
          const extracted = byRules({ url: origin + path, html, metadata: {} }, { schema, prompt: undefined })
          const { data } = extracted
          millis += performance.now() - before
          pages++
          bytes += html.length
          for (const [field, wanted] of Object.entries(truth)) {
            if (leftOut.has(`${kind}.${field}`)) continue
            compare(
              `${kind}.${field}`,
              wanted,
              field === "" ? data : isObject(data) ? data[field] : undefined,
              `${seed}/${revision}${path}`,
              {
                kinds,
                schema: field === "" ? schema : partOf(schema, field),
                pointer: field === "" ? "" : pointerOf("", field),
                extracted,
                url: origin + path,
                html
              }
            )
          }
        }
      }
    }
  }
  console.log(
    `\n${title}: ${pages} pages of ${(bytes / pages / 1000).toFixed(1)} kB, ${(millis / pages).toFixed(2)} ms each`
  )
  for (const [field, { answered, pages: misses, right, said }] of counts) {
    const precision = answered === 0 ? 1 : right / answered
    const recall = said === 0 ? 1 : right / said
    console.log(`  ${field.padEnd(36)} precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  of ${said}`)
    if (showsMisses) for (const miss of misses.slice(0, 5)) console.log(`      ${miss}`)
  }
}

run("as they are", (html) => html, new Set())
run(
  "without JSON-LD",
  (html) => html.replaceAll(/<script type="application\/ld\+json">[\s\S]*?<\/script>/g, ""),
  // What the page shows of it is "37 hours a week".
  new Set(["job.contract"])
)

/** A page of others, and its HTML. */
const pageOf = (set: string, id: string) =>
  gunzipSync(readFileSync(join(flags.truth ?? "", set, "html", `${id}.html.gz`))).toString("utf8")

const truthOf = (set: string): { readonly [id: string]: { readonly [key: string]: Json } } =>
  JSON.parse(readFileSync(join(flags.truth ?? "", set, "truth.json"), "utf8"))

/** The fields of a decision, each with its name in the truth. */
const decision = {
  case_name: { part: text, named: "case_names" },
  date_filed: { part: date, named: "case_dates" },
  docket_number: { part: text, named: "docket_numbers" },
  url: { part: { type: "string", format: "uri" }, named: "download_urls" }
} as const

const plain = (value: Json | undefined): string =>
  String(value ?? "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Rows that are of the same decision: by its link, else by its name. A row that no truth has is wrong in all its values. */
const courtLists = (): ValueCounts.Counts => {
  const kinds: ValueCounts.Counts = new Map()
  for (const [id, { records, url }] of Object.entries(truthOf("court-lists-dev"))) {
    const html = pageOf("court-lists-dev", id)
    const schema = list(object(Object.fromEntries(Object.entries(decision).map(([name, { part }]) => [name, part]))))
    const extracted = byRules({ url: String(url), html, metadata: {} }, { schema, prompt: undefined })
    const rows = (Array.isArray(extracted.data) ? extracted.data : []).map((row, i) => ({ row, i }))
    const left = new Set(rows)
    const judge = (truth: Json | undefined, found: (typeof rows)[number] | undefined) => {
      for (const [name, { named, part }] of Object.entries(decision)) {
        const wanted = isObject(truth) ? plain(truth[named]) : ""
        const json = found !== undefined && isObject(found.row) ? (found.row[name] ?? null) : null
        const pointer = `/${found?.i ?? 0}/${name}`
        const value = typeof json === "string" ? plain(json) : json
        const of = { json: value, pointer, extracted, url: String(url), html }
        ValueCounts.add(kinds, part, wanted === "" ? null : wanted, of)
      }
    }
    for (const truth of Array.isArray(records) ? records : []) {
      const isSame =
        (name: keyof typeof decision) =>
        ({ row }: (typeof rows)[number]) => {
          const wanted = isObject(truth) ? plain(truth[decision[name].named]) : ""
          return wanted !== "" && isObject(row) && wanted === plain(row[name])
        }
      const some = [...left]
      const found = some.find(isSame("url")) ?? some.find(isSame("docket_number")) ?? some.find(isSame("case_name"))
      if (found !== undefined) left.delete(found)
      judge(truth, found)
    }
    for (const one of left) judge(undefined, one)
  }
  return kinds
}

/** The values of houses. What a page has beyond the truth is not asked for. */
const houses = (): ValueCounts.Counts => {
  const kinds: ValueCounts.Counts = new Map()
  for (const [id, { expected, url }] of Object.entries(truthOf("real-estate-dev"))) {
    if (!isObject(expected)) continue
    const html = pageOf("real-estate-dev", id)
    const parts = Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [
        name,
        typeof value === "boolean"
          ? { type: "boolean" }
          : isNumber(value)
            ? number
            : name.endsWith("_url")
              ? link
              : text
      ])
    )
    const extracted = byRules({ url: String(url), html, metadata: {} }, { schema: object(parts), prompt: undefined })
    for (const [name, part] of Object.entries(parts)) {
      const wanted = expected[name] ?? null
      const json = isObject(extracted.data) ? (extracted.data[name] ?? null) : null
      const truth = isNumber(wanted) ? Number(wanted) : typeof wanted === "string" ? plain(wanted) : wanted
      ValueCounts.add(kinds, part, truth, { json, pointer: pointerOf("", name), extracted, url: String(url), html })
    }
  }
  return kinds
}

/** The values of pages whose microdata is hidden. */
const hiddenMarkup = (): ReadonlyMap<string, ValueCounts.Counts> => {
  const found = new Map<string, ValueCounts.Counts>()
  for (const { html, set, truth, url } of HiddenMarkup.read(flags.truth ?? "")) {
    const kinds: ValueCounts.Counts = found.get(set) ?? new Map()
    found.set(set, kinds)
    const parts = HiddenMarkup.schemaOf(truth)
    const extracted = byRules({ url, html, metadata: {} }, { schema: object(parts), prompt: undefined })
    for (const [name, wanted] of Object.entries(truth)) {
      const json = isObject(extracted.data) ? (extracted.data[name] ?? null) : null
      const [one, other] = [wanted, json].map((value) => (typeof value === "string" ? plain(value) : value))
      if (showsMisses && !isDeepStrictEqual(one, other))
        console.log(`  ${set} ${url} ${name}: ${JSON.stringify(one)} read as ${JSON.stringify(other)}`)
      ValueCounts.add(kinds, parts[name] ?? text, one, {
        json: other,
        pointer: pointerOf("", name),
        extracted,
        url,
        html
      })
    }
  }
  return found
}

const link = { type: "string", format: "uri" } as const
const isNumber = (value: Json): boolean =>
  typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value))

if (flags.truth !== undefined) {
  sets.set("court lists", courtLists())
  sets.set("houses", houses())
  for (const [title, kinds] of hiddenMarkup()) sets.set(title, kinds)
}
for (const [title, kinds] of sets) ValueCounts.print(title, kinds)
if (flags.keep !== undefined) writeFileSync(flags.keep, `${JSON.stringify(ValueCounts.sharesOf(sets), undefined, 2)}\n`)
const losses = flags.gate === undefined ? [] : ValueCounts.lossesOf(sets, flags.gate)
for (const loss of losses) console.error(`worse than ${flags.gate}: ${loss}`)
if (losses.length > 0) process.exitCode = 1
