/**
 * The demo site: a small web of our own about a town named Northmere, made from a seed, for quickstart, tests and monitors. The same
 * seed and revision give the same bytes; revision N is revision N - 1 and a few known changes more.
 */
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import * as Blog from "./parts/Blog.ts"
import * as Council from "./parts/Council.ts"
import * as Docs from "./parts/Docs.ts"
import * as Draft from "./parts/Draft.ts"
import * as Files from "./parts/Files.ts"
import * as History from "./parts/History.ts"
import * as Html from "./parts/Html.ts"
import * as Jobs from "./parts/Jobs.ts"
import * as Lab from "./parts/Lab.ts"
import * as Languages from "./parts/Languages.ts"
import * as Shop from "./parts/Shop.ts"

export type Site = ReturnType<typeof make>
type Drafts = ReadonlyMap<string, Draft.Draft>

export interface Request {
  readonly method: string
  /** With its query: "/shop/c/lamps?page=2". */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** What absolute addresses begin with: "http://127.0.0.1:8080". */
  readonly origin: string
}

export interface Response extends Pick<Draft.Draft, "status" | "behaviour"> {
  readonly headers: Readonly<Record<string, string>>
  /** Empty: the method or the status has no body. */
  readonly body: Uint8Array
}

/** The site of a seed, from revision 1 on. */
export const make = (edition: Html.Edition) => {
  const pages = draftsOf(edition)
  let changes: ReturnType<typeof changesOf> | undefined
  const before = { ...edition, revision: edition.revision - 1 }
  return {
    ...edition,
    /** Every address that has an answer of its own, by path with query. */
    pages,
    /** What is true of it, never by a crawl, so a crawl can be compared with it. */
    truth: {
      /** What its pages are about. */
      get things() {
        const history = History.make(edition)
        return { products: Shop.products(history), jobs: Jobs.jobs(history), sections: Council.sections(history) }
      },
      /** What a default crawl of the whole site finds, by path with query. */
      pages: found(pages),
      /** Pages and files, by path with query, against the revision before. Empty in revision 1. */
      get changes() {
        return (changes ??= before.revision < 1 ? new Map() : changesOf(draftsOf(before), pages))
      }
    },
    /** The answer to a request, as data: nothing is sent, nothing waits. */
    respond: responder(edition, pages)
  }
}

const draftsOf = (edition: Html.Edition): Drafts => {
  const history = History.make(edition)
  const sections = [Shop, Docs, Blog, Jobs, Council, Languages, Lab, Files].flatMap(({ section }) => section(history))
  const drafts = [home(history), ...sections].map((page) => ("main" in page ? Html.draft(edition, page) : page))
  return new Map([...drafts, ...Files.hidden(drafts)].map((draft) => [draft.path, draft]))
}

const home = (history: History.History): Html.Page => {
  const open = Jobs.jobs(history).filter((one) => one.open).length
  const [latest] = Blog.posts(history)
  return {
    path: "/",
    modified: history.today,
    title: "Northmere, the town at the weir",
    description: "A shop, a council, a blog and a gate controller, all in one small town.",
    alternates: { "x-default": "/", en: "/", de: "/de/", fr: "/fr/", ja: "/ja/", ar: "/ar/" },
    main: `<h1>Northmere</h1>
<p>Northmere has two rivers, one canal, six bridges, and ${open} open posts.</p>
${latest === undefined ? "" : `<p>New on the blog: ${Html.link(latest.path, latest.title)}</p>`}
${Html.list([
  Html.link("/shop/", "Northmere Mill Supply"),
  Html.link("/docs/v2/", "Sluice, the gate controller"),
  Html.link("/council/law/", "The law register"),
  Html.link("/lab/", "The lab")
])}`
  }
}

const found = (drafts: Drafts): Drafts => new Map([...drafts].filter(([, { foundBy }]) => foundBy !== "nothing"))

/** Of what a monitor watches: what a crawl finds and can read. */
const changesOf = (before: Drafts, after: Drafts) => {
  const readable = (drafts: Drafts) => new Map([...found(drafts)].filter(([, { kind }]) => /page|file/.test(kind)))
  const [old, now] = [readable(before), readable(after)]
  return new Map([...now.keys(), ...old.keys()].map((path) => [path, changeOf(old.get(path), now.get(path))]))
}

/** The fields that changed are those of a page that was there before: "title", "main", "price" ... */
const changeOf = (before: Draft.Draft | undefined, after: Draft.Draft | undefined) => {
  const names = before === undefined || after === undefined ? [] : Object.keys({ ...before.fields, ...after.fields })
  const fields = names.filter((name) => before?.fields[name] !== after?.fields[name])
  if (after === undefined) return { status: "removed", fields }
  return { status: before === undefined ? "new" : fields.length === 0 ? "same" : "changed", fields }
}

/** How the site answers: conditional requests, gzip where asked, HEAD, and the same page under a query that means nothing. */
const responder = (edition: Html.Edition, pages: Drafts) => {
  const bytes = remembered(edition.revision)
  return ({ headers: asked, method, origin, path }: Request): Response => {
    if (method !== "GET" && method !== "HEAD") return answer("HEAD", 405, { allow: "GET, HEAD" }, nothing)
    const draft = find(edition, pages, path)
    if (draft === undefined)
      return answer(method, 404, { "content-type": "text/html; charset=utf-8" }, Draft.utf8(notFound))
    const { behaviour, fields, modified, status, type } = draft
    const { etag, plain } = bytes(draft, origin)
    const done = behaviour === undefined ? {} : { behaviour }
    const headers = {
      "content-type": type,
      "last-modified": new Date(modified).toUTCString(),
      "cache-control": "max-age=60",
      ...("location" in fields ? { location: fields["location"].replaceAll(Draft.originMark, origin) } : {})
    }
    if (status !== 200) return { ...answer(method, status, headers, plain), ...done }
    const tagged = { ...headers, etag, vary: "accept-encoding" }
    if (isUnchanged(asked, etag, modified)) return { status: 304, headers: tagged, body: nothing, ...done }
    const isZipped = isText.test(type) && takesGzip.test(asked["accept-encoding"] ?? "")
    const encoding = isZipped ? { "content-encoding": "gzip" } : {}
    return {
      ...answer(method, 200, { ...tagged, ...encoding }, isZipped ? Uint8Array.from(gzipSync(plain)) : plain),
      ...done
    }
  }
}

const answer = (method: string, status: number, headers: Response["headers"], body: Uint8Array): Response => ({
  status,
  headers: { ...headers, "content-length": String(body.length) },
  body: method === "HEAD" ? nothing : body
})

const find = (edition: Html.Edition, pages: Drafts, path: string): Draft.Draft | undefined => {
  const [bare = "", query = ""] = path.split("?", 2)
  const parameters = new URLSearchParams(query)
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.exec(parameters.get("month") ?? "")
  if (bare === "/calendar/" && month !== null && !pages.has(path)) return Html.draft(edition, Lab.month(month[0]))
  return pages.get(path) ?? (parameters.has("page") ? undefined : pages.get(bare))
}

const isUnchanged = (headers: Request["headers"], etag: string, modified: string): boolean => {
  const tags = headers["if-none-match"]
  if (tags !== undefined) return tags.split(",").some((tag) => tag.trim() === etag || tag.trim() === "*")
  return Date.parse(headers["if-modified-since"] ?? "") >= Date.parse(modified)
}

/** The bytes of a page for an origin. They are made once; a visitor who invents origins does not fill the memory. */
const remembered = (revision: number) => {
  const memory = new Map<string, { readonly plain: Uint8Array; readonly etag: string }>()
  return (draft: Draft.Draft, origin: string) => {
    const key = `${origin} ${draft.path}`
    const plain = memory.get(key)?.plain ?? draft.write(origin)
    const etag = memory.get(key)?.etag ?? `W/"${revision}-${digestOf(plain)}"`
    if (memory.size >= 1500) memory.clear()
    memory.set(key, { plain, etag })
    return { plain, etag }
  }
}

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64url").slice(0, 16)
const nothing = new Uint8Array()
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/
const isText = /^(text\/|application\/(rss\+)?xml|image\/svg)/
const notFound = '<!doctype html><title>Not found</title><h1>Not found</h1><p><a href="/">Home</a></p>\n'
