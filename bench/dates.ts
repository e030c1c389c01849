/**
 * How right title, author and day of a page are, on pages whose truth people have written down.
 *
 *     node bench/dates.ts FOLDER [--half even|odd] [--misses title|author|date] [--out FILE]
 *
 * FOLDER holds `ground-truth/*.json` and `html/*.html.gz`, as the development half of the web content extraction benchmark
 * (Murrough-Foley, CC-BY-4.0) does. A title is right where it is the same but for white space; authors where they are the
 * same names in any order; a date where it is the same day. The last line counts, for a page that
 * only says when it was changed, that day too, because the truth knows one date.
 *
 * Of an author and a date, recall is the share of the pages whose truth has one that are right. Precision is reported
 * twice: of the answers on pages whose truth has one, and of all answers, where an answer on a page whose truth has none is
 * wrong. The second is a lower bound, because the truth leaves out what many pages say. --out writes what was found.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { gunzipSync } from "node:zlib"
import { article } from "../src/extract/article/article.ts"
import { authorsIn } from "../src/extract/value/Byline.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: "string", default: "all" }, misses: { type: "string" }, out: { type: "string" } }
})
const [folder = ""] = positionals
if (!existsSync(join(folder, "ground-truth"))) {
  console.error(`${folder === "" ? "no folder" : folder} holds no ground-truth`)
  process.exit(2)
}

interface Said {
  readonly title: string
  readonly author: string
  readonly date: string
  /** The day of publication, else of the last change. */
  readonly dated: string
}
type Field = keyof Said

interface Judged {
  readonly id: string
  readonly url: string
  readonly kind: string
  readonly truth: Said
  readonly found: Said
}

const judge = (file: string): Judged => {
  const id = file.slice(0, -".json".length)
  const {
    _internal: internal,
    ground_truth: truth,
    url
  } = JSON.parse(readFileSync(join(folder, "ground-truth", file), "utf8"))
  const html = gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`))).toString("utf8")
  const { authors, byline, modified, published, title } = article(html, url ?? "https://page.test/")
  return {
    id,
    url: url ?? "",
    kind: internal?.page_type?.primary ?? "unknown",
    truth: {
      title: truth.title ?? "",
      author: truth.author ?? "",
      date: truth.publish_date ?? "",
      dated: truth.publish_date ?? ""
    },
    found: {
      title: title ?? "",
      author: authors.length > 0 ? authors.join(", ") : (byline ?? ""),
      date: published?.slice(0, 10) ?? "",
      dated: (published ?? modified)?.slice(0, 10) ?? ""
    }
  }
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const namesOf = (text: string): string => {
  const names = authorsIn(text)
  return (names.length > 0 ? names : [text])
    .map((name) => plain(name).toLowerCase())
    .sort()
    .join(", ")
}

const isRight = (field: Field, { found, truth }: Judged): boolean =>
  field === "author" ? namesOf(truth.author) === namesOf(found.author) : plain(truth[field]) === plain(found[field])

const share = (part: number, whole: number): string => (whole === 0 ? "-" : (part / whole).toFixed(3))

const files = readdirSync(join(folder, "ground-truth"))
  .filter((name) => name.endsWith(".json"))
  .sort()
  .filter((_, i) => values.half === "all" || (i % 2 === 0) === (values.half === "even"))
const before = performance.now()
const pages = files.map(judge)
const millis = (performance.now() - before) / pages.length

console.log(`${pages.length} pages, ${millis.toFixed(1)} ms each`)
const titled = pages.filter(({ truth }) => truth.title !== "")
const named = titled.filter((page) => isRight("title", page)).length
console.log(`title   exact ${named} of ${titled.length}, ${share(named, titled.length)}`)
for (const field of ["author", "date", "dated"] as const) {
  const known = pages.filter(({ truth }) => truth[field] !== "")
  const answered = pages.filter(({ found }) => found[field] !== "")
  const both = known.filter(({ found }) => found[field] !== "")
  const right = both.filter((page) => isRight(field, page)).length
  console.log(
    `${field.padEnd(7)} right ${right} of ${known.length}, recall ${share(right, known.length)}, precision ` +
      `${share(right, both.length)} of ${both.length} answers, ${share(right, answered.length)} of all ${answered.length}`
  )
}
for (const kind of new Set(pages.map((page) => page.kind))) {
  const some = pages.filter((page) => page.kind === kind)
  const cells = (["title", "author", "date"] as const).map((field) => {
    const known = some.filter(({ truth }) => truth[field] !== "")
    return `${field} ${known.filter((page) => isRight(field, page)).length}/${known.length}`
  })
  console.log(`  ${kind.padEnd(14)} ${cells.join("  ")}`)
}
const { misses } = values
if (misses === "title" || misses === "author" || misses === "date") {
  for (const page of pages) {
    const { found, id, kind, truth, url } = page
    if (truth[misses] === "" && found[misses] === "") continue
    if (truth[misses] !== "" && isRight(misses, page)) continue
    console.log(`${id} ${kind} ${JSON.stringify(truth[misses])} read as ${JSON.stringify(found[misses])} ${url}`)
  }
}
if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(pages))
