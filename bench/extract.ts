/**
 * How right the extraction engine reads pages whose truth is known, by schemas written without a look at their markup.
 *
 *     node bench/extract.ts [--misses]
 *
 * The pages are those of the demo site (two seeds, two revisions): products, lists of products, jobs, the jobs board,
 * sections of law. They are read twice: as they are, and without their JSON-LD, by what they show. Precision is the
 * share of answers that are right, recall the share of what the page says that is answered rightly.
 */
import { isDeepStrictEqual } from "node:util"
import type { Json, JsonSchema } from "../src/contract/JsonSchema.ts"
import { byRules } from "../src/extract/byRules.ts"
import * as Site from "../src/site/Site.ts"

const origin = "http://northmere.test"
const showsMisses = process.argv.includes("--misses")

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

/** Rows are held against each other by their place, field by field. */
const compare = (field: string, wanted: Json | undefined, found: Json | undefined, where: string): void => {
  const rows = Array.isArray(wanted) ? wanted : []
  if (!isObject(rows[0])) {
    if (Array.isArray(wanted) && rows.length === 0) count(field, null, found, where)
    else count(field, wanted, found, where)
    return
  }
  const others = Array.isArray(found) ? found : []
  for (let i = 0; i < Math.max(rows.length, others.length); i++) {
    const [row, other] = [rows[i], others[i]]
    for (const name of Object.keys(rows[0])) {
      count(
        `${field}[].${name}`,
        isObject(row) ? row[name] : undefined,
        isObject(other) ? other[name] : undefined,
        `${where}#${i}`
      )
    }
  }
}

let pages = 0
let millis = 0
let bytes = 0

const run = (title: string, prepare: (html: string) => string, leftOut: ReadonlySet<string>): void => {
  counts.clear()
  pages = millis = bytes = 0
  for (const seed of [1, 7]) {
    for (const revision of [1, 3]) {
      const site = Site.make({ seed, revision })
      for (const [kind, reads] of Object.entries(truths(site))) {
        for (const { path, schema, truth } of reads) {
          const html = prepare(htmlOf(site, path))
          const before = performance.now()
          const { data } = byRules({ url: origin + path, html, metadata: {} }, { schema, prompt: undefined })
          millis += performance.now() - before
          pages++
          bytes += html.length
          for (const [field, wanted] of Object.entries(truth)) {
            if (leftOut.has(`${kind}.${field}`)) continue
            compare(
              `${kind}.${field}`,
              wanted,
              field === "" ? data : isObject(data) ? data[field] : undefined,
              `${seed}/${revision}${path}`
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
