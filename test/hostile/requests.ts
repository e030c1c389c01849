/**
 * Requests that are made to cost the service more than they say: pages, files, sitemaps, patterns and schemas. Each is made when
 * it is asked for, so that the corpus is a few kilobytes.
 */
import * as archives from "./archives.ts"

/** What the site of a request answers. */
export interface Served {
  readonly type?: string
  readonly encoding?: string
  readonly body: string | Uint8Array
}

export interface Hostile {
  readonly name: string
  readonly path: string
  readonly body: object
  /** What the site has beside its start page, which is "/". */
  readonly site: () => Readonly<Record<string, Served>>
  /** Statuses and codes that are right: "200", or "SCRAPE_PAGE_TOO_COSTLY". */
  readonly answers: ReadonlyArray<string>
}

export const origin = "http://site.test"

const html = (body: string): (() => Readonly<Record<string, Served>>) => {
  return () => ({ "/": { body } })
}

const scrape = (
  name: string,
  site: Hostile["site"],
  answers: ReadonlyArray<string>,
  options: object = {}
): Hostile => ({ name, path: "/v2/scrape", body: { url: `${origin}/`, timeout: 60_000, ...options }, site, answers })

const tooCostly = ["SCRAPE_PAGE_TOO_COSTLY"]
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at % 1000}`).join(" ")

/** Pages that cost time and memory; `scale` 1 is the whole. */
export const pages = (scale: number): ReadonlyArray<Hostile> => {
  const some = (count: number) => Math.ceil(count * scale)
  const costly = scale === 1 ? tooCostly : [...tooCostly, "200"]
  const cells = "<th>h</th>".repeat(100)
  return [
    scrape("1.3 million short rows", () => html(`<table><tr>${cells}${"<tr><td>x".repeat(some(1_300_000))}`)(), costly),
    scrape(
      "2,000 header cells",
      () => html(`<table><tr>${"<th>h".repeat(some(2000))}${"<tr><td>x".repeat(some(20_000))}`)(),
      ["200"]
    ),
    scrape(
      "100,000 links",
      () => html(Array.from({ length: some(100_000) }, (_, at) => `<a href="/p${at}">page ${at}</a>`).join(" "))(),
      ["200"],
      { formats: ["links", "markdown"] }
    ),
    scrape("1,000,000 nested elements", () => html("<div>".repeat(some(1_000_000)))(), costly),
    scrape("1,000,000 nested inline elements", () => html("<b><i>".repeat(some(500_000)))(), ["200", ...tooCostly]),
    scrape(
      "1,000,000 attributes of one element",
      () => html(`<p ${Array.from({ length: some(1_000_000) }, (_, at) => `a${at}=1`).join(" ")}>text`)(),
      ["200", ...tooCostly]
    ),
    scrape("1,000,000 elements with an attribute", () => html("<b a=1>x</b>".repeat(some(1_000_000)))(), [
      "200",
      ...tooCostly
    ]),
    scrape("a list in a list, 300,000 times", () => html("<ul><li>".repeat(some(300_000)))(), costly),
    scrape("20 MB of text without an end", () => html(`<p>${words(some(2_000_000))}`)(), ["200", ...tooCostly]),
    scrape("20 MB of comments", () => html(`${"<!-- -- -->".repeat(some(1_700_000))}<p>text`)(), ["200", ...tooCostly])
  ]
}

/** Bodies that are small on the wire. */
export const bombs = (megabytes: number): ReadonlyArray<Hostile> => {
  const tooLarge = ["SCRAPE_PAGE_TOO_LARGE"]
  const packed = (encoding: "gzip" | "br" | "zstd") =>
    scrape(
      `${megabytes} MB as ${encoding}`,
      () => ({ "/": { encoding, body: archives.bombs(megabytes)[encoding] } }),
      tooLarge
    )
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  const refused = [
    "SCRAPE_FILE_TOO_LARGE_ERROR",
    "SCRAPE_UNSUPPORTED_FILE_ERROR",
    "SCRAPE_PDF_ERROR",
    "SCRAPE_DOCUMENT_ERROR",
    "SCRAPE_FILE_TIMEOUT_ERROR",
    "SCRAPE_TIMEOUT",
    "200"
  ]
  return [
    packed("gzip"),
    packed("br"),
    packed("zstd"),
    scrape(
      `a Word file of ${megabytes * 3} MB`,
      () => ({ "/": { type: word, body: archives.docx(megabytes * 3) } }),
      refused
    ),
    scrape(
      `a PDF of ${megabytes} MB`,
      () => ({ "/": { type: "application/pdf", body: archives.pdf(megabytes) } }),
      refused
    )
  ]
}

/** A chain of words, each of which is ten of the one before it. */
const entities = (levels: number): string =>
  `<!DOCTYPE urlset [<!ENTITY e0 "${origin}/">${Array.from({ length: levels }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join("")}
  <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY web SYSTEM "${origin}/secret">]>
  <urlset><url><loc>&e${levels};</loc></url><url><loc>&file;</loc></url><url><loc>&web;</loc></url><url><loc>${origin}/a</loc></url></urlset>`

const patterns = ["^/(a+)+$", "^/(a|a)*$", "^/(a|aa)+$", "^/([a-z]+)*[0-9]$", "(x+x+)+y"]

/** A schema that is a chain of choices: its expansion has 2 to the power of `depth` parts. */
const choices = (depth: number): object => ({
  type: "object",
  properties: { v: { $ref: "#/$defs/d0" } },
  $defs: Object.fromEntries(
    Array.from({ length: depth }, (_, at) => [
      `d${at}`,
      at === depth - 1
        ? { type: "string" }
        : { type: "object", properties: { l: { $ref: `#/$defs/d${at + 1}` }, r: { $ref: `#/$defs/d${at + 1}` } } }
    ])
  )
})

/** Sitemaps, patterns and schemas that explode. */
export const expansions: ReadonlyArray<Hostile> = [
  {
    name: "a sitemap with entities that explode",
    path: "/v2/map",
    body: { url: `${origin}/` },
    site: () => ({
      "/": { body: `<a href="/a">a</a>` },
      "/sitemap.xml": { type: "application/xml", body: entities(12) }
    }),
    answers: ["200"]
  },
  {
    name: "patterns of a crawl that explode",
    path: "/v2/crawl",
    body: { url: `${origin}/`, limit: 10, includePaths: patterns },
    site: () => ({
      "/": { body: Array.from({ length: 500 }, (_, at) => `<a href="/${"a".repeat(2000 + at)}!">a</a>`).join("") }
    }),
    answers: ["200"]
  },
  {
    name: "200 patterns on 300 long addresses",
    path: "/v2/crawl",
    body: {
      url: `${origin}/`,
      limit: 10,
      excludePaths: Array.from({ length: 200 }, (_, at) => `(a|b|c)*${"(d|e)*".repeat(12)}[${at % 10}x]$`)
    },
    site: () => ({
      "/": { body: Array.from({ length: 300 }, (_, at) => `<a href="/${"a".repeat(150)}${at}!">a</a>`).join("") }
    }),
    answers: ["200"]
  },
  {
    name: "patterns that are large when they are compiled",
    path: "/v2/crawl",
    body: { url: `${origin}/`, limit: 10, includePaths: ["a{1000}".repeat(280), "(\\w{1,900}x{100})*".repeat(100)] },
    site: html("text"),
    answers: ["400"]
  },
  ...[
    [
      "patterns of a schema that explode",
      { type: "object", properties: { v: { type: "string", pattern: "^(a+)+$" } } }
    ],
    ["a schema of 2^60 parts", choices(60)],
    ["a schema that is its own part", { type: "object", properties: { v: { $ref: "#" } } }],
    [
      "a schema of 5,000 fields",
      {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field_${at}`, { type: "string" }]))
      }
    ]
  ].map(([name, schema]) =>
    scrape(
      String(name),
      () => html(`<dl><dt>v<dd>${"a".repeat(50_000)}!</dl><p>${words(20_000)}`)(),
      ["200", "400", "SCRAPE_PAGE_TOO_COSTLY"],
      { formats: [{ type: "json", schema }] }
    )
  )
]

/** What an answer is to the table: its code, or its status. */
export const answerOf = (status: number, body: unknown): string =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string"
    ? body.code
    : String(status)
