/**
 * Answers of this API in the shapes of the older one: other URLs, links as strings, `extract` beside `json`.
 *
 * The documents of a job may be a long text: it is parsed only if a document has a field that the older API names otherwise.
 */
import { type Body, isBody } from "./requests.ts"

export const same = (text: string): string => text

export const scrape = (text: string, { formats }: Body, notes: ReadonlyArray<string>): string => {
  const answer = read(text)
  const page = isBody(answer["data"]) ? answer["data"] : undefined
  const warning = [page?.["warning"], ...notes].filter((part) => typeof part === "string").join("; ")
  return JSON.stringify({
    ...answer,
    ...(warning === "" ? {} : { warning }),
    ...(page === undefined ? {} : { data: withExtract(page, formats) })
  })
}

export const started = (text: string, _: Body, notes: ReadonlyArray<string>): string => {
  const { url, warning, ...answer } = read(text)
  const said = [warning, ...notes].filter((part) => typeof part === "string").join("; ")
  return JSON.stringify({ ...answer, url: older(url), ...(said === "" ? {} : { warning: said }) })
}

export const status = (text: string): string => {
  const at = text.indexOf(data)
  if (at === -1) return text
  const { next, ...head } = read(`${text.slice(0, at)}}`)
  const start = JSON.stringify({ ...head, ...(next === undefined ? {} : { next: older(next) }) }).slice(0, -1)
  const documents = text.slice(at + data.length - 1, -1)
  if (!documents.includes(`"json":`)) return `${start}${data.slice(0, -1)}${documents}}`
  const parsed: unknown = JSON.parse(documents)
  const pages = (Array.isArray(parsed) ? parsed : []).map((page: unknown) => (isBody(page) ? withExtract(page) : page))
  return `${start}${data.slice(0, -1)}${JSON.stringify(pages)}}`
}

/** The start of the documents in a status answer: no text of a page comes before it. */
const data = `,"data":[`

export const cancelled = (text: string): string => JSON.stringify({ success: true, ...read(text) })

export const map = (text: string): string => {
  const { id: _, links, ...answer } = read(text)
  const urls = (Array.isArray(links) ? links : []).flatMap((link: unknown) => (isBody(link) ? [link["url"]] : []))
  return JSON.stringify({ ...answer, links: urls })
}

export const search = (text: string, { scrapeOptions }: Body): string => {
  const { data: found, ...answer } = read(text)
  const web = isBody(found) && Array.isArray(found["web"]) ? found["web"] : []
  const formats = isBody(scrapeOptions) ? scrapeOptions["formats"] : undefined
  const pages = web.map((page: unknown) => (isBody(page) ? withExtract(page, formats) : page))
  return JSON.stringify({ ...answer, data: pages })
}

/** The format `extract` is `json` here. If it is not known which of the two was requested, the page gets both. */
const withExtract = ({ json, ...page }: Body, formats?: unknown): Body => {
  if (json === undefined) return page
  if (!Array.isArray(formats)) return { ...page, json, extract: json }
  return {
    ...page,
    ...(formats.includes("extract") ? { extract: json } : {}),
    ...(formats.includes("json") ? { json } : {})
  }
}

const older = (url: unknown): unknown => (typeof url === "string" ? url.replace("/v2/", "/v1/") : url)

const read = (text: string): Body => {
  const parsed: unknown = JSON.parse(text)
  return isBody(parsed) ? parsed : {}
}
