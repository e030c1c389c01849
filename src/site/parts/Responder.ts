/**
 * How the site answers: conditional requests, gzip where asked, HEAD, and the same page under a query that means nothing.
 *
 * An answer is a function of the site and the request. A server only transports it.
 */
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import * as Draft from "./Draft.ts"
import * as Html from "./Html.ts"
import * as Lab from "./Lab.ts"
import type * as Truth from "./Truth.ts"

export interface Request {
  readonly method: string
  /** With its query: "/shop/c/lamps?page=2". */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** What absolute addresses begin with: "http://127.0.0.1:8080". */
  readonly origin: string
}

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty: the method or the status has no body. */
  readonly body: Uint8Array
  readonly behaviour?: Draft.Behaviour
}

type Pages = ReadonlyMap<string, Draft.Draft>

/** `truth` is there where the site may tell it. */
export const make = (edition: Html.Edition, pages: Pages, truth: (() => Truth.Truth) | undefined) => {
  const bytes = remembered(edition.revision)
  return ({ headers: asked, method, origin, path }: Request): Response => {
    if (method !== "GET" && method !== "HEAD") return answer("HEAD", 405, { allow: "GET, HEAD" }, nothing)
    if (truth !== undefined && path === "/_truth.json")
      return answer(method, 200, jsonType, Draft.utf8(toJson(truth())))
    const draft = find(edition, pages, path)
    if (draft === undefined) return answer(method, 404, htmlType, Draft.utf8(notFound))
    const { behaviour, headers: own, modified, status, type } = draft
    const { etag, gzip, plain } = bytes(draft, origin)
    const done = behaviour === undefined ? {} : { behaviour }
    const headers = {
      "content-type": type,
      "last-modified": new Date(modified).toUTCString(),
      "cache-control": "max-age=60",
      ...("location" in own ? { location: own["location"].replaceAll(Draft.originMark, origin) } : {})
    }
    if (status !== 200) return { ...answer(method, status, headers, plain), ...done }
    const tagged = { ...headers, etag, vary: "accept-encoding" }
    if (isUnchanged(asked, etag, modified)) return { status: 304, headers: tagged, body: nothing, ...done }
    return isText.test(type) && takesGzip.test(asked["accept-encoding"] ?? "")
      ? { ...answer(method, 200, { ...tagged, "content-encoding": "gzip" }, gzip()), ...done }
      : { ...answer(method, 200, tagged, plain), ...done }
  }
}

const answer = (method: string, status: number, headers: Response["headers"], body: Uint8Array): Response => ({
  status,
  headers: { ...headers, "content-length": String(body.length) },
  body: method === "HEAD" ? nothing : body
})

const nothing = new Uint8Array()

const find = (edition: Html.Edition, pages: Pages, path: string): Draft.Draft | undefined => {
  const exact = pages.get(path)
  if (exact !== undefined) return exact
  const [bare = "", query = ""] = path.split("?", 2)
  const asked = new URLSearchParams(query)
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.exec(asked.get("month") ?? "")
  if (bare === "/calendar/" && month !== null) return Html.draft(edition, Lab.month(month[0]))
  return asked.has("page") ? undefined : pages.get(bare)
}

const isUnchanged = (asked: Request["headers"], etag: string, modified: string): boolean => {
  const tags = asked["if-none-match"]
  if (tags !== undefined) return tags.split(",").some((tag) => tag.trim() === etag || tag.trim() === "*")
  return Date.parse(asked["if-modified-since"] ?? "") >= Date.parse(modified)
}

interface Bytes {
  readonly plain: Uint8Array
  readonly etag: string
  readonly gzip: () => Uint8Array
}

/** The bytes of a page for an origin. They are made once; a visitor who invents origins does not fill the memory. */
const remembered = (revision: number) => {
  const memory = new Map<string, Bytes>()
  return (draft: Draft.Draft, origin: string): Bytes => {
    const key = `${origin} ${draft.path}`
    const known = memory.get(key)
    if (known !== undefined) return known
    const plain = draft.write(origin)
    let zipped: Uint8Array | undefined
    const etag = `W/"${revision}-${createHash("sha256").update(plain).digest("base64url").slice(0, 16)}"`
    const made = { plain, etag, gzip: () => (zipped ??= Uint8Array.from(gzipSync(plain))) }
    if (memory.size >= maxRemembered) memory.clear()
    memory.set(key, made)
    return made
  }
}

const maxRemembered = 1500
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/
const isText = /^(text\/|application\/(rss\+)?xml|image\/svg)/
const htmlType = { "content-type": "text/html; charset=utf-8" }
const jsonType = { "content-type": "application/json" }
const notFound = '<!doctype html><title>Not found</title><h1>Not found</h1><p><a href="/">Home</a></p>\n'

const toJson = (truth: Truth.Truth): string =>
  JSON.stringify({ ...truth, pages: Object.fromEntries(truth.pages), changes: Object.fromEntries(truth.changes) })
