/**
 * A draft of one address of the site: what it says, and how it is written down for an origin. `fields` hold the content and nothing
 * else, so two drafts with equal fields are the same page, however they are written: a change is a fact, not an opinion.
 */
export interface Draft {
  /** With its query, if it has one: "/shop/c/lamps?page=2". */
  readonly path: string
  readonly status: number
  readonly type: string
  readonly fields: Readonly<Record<string, string>>
  /** The bytes for visitors who reach the site under this origin: "http://127.0.0.1:8080". */
  readonly write: (origin: string) => Uint8Array
  /** What a crawl makes of it. */
  readonly kind: "page" | "file" | "redirect" | "missing" | "failing" | "blocked"
  /** Whether a crawl that begins at "/" reaches it by links, only by the sitemap, or not at all. */
  readonly foundBy: "link" | "sitemap" | "nothing"
  readonly inSitemap: boolean
  /** The day of the last change that a reader would notice. */
  readonly modified: string
  /** What a reader could write down from it, for those who extract data. */
  readonly facts: Readonly<Record<string, string | number | ReadonlyArray<string>>>
  /** slow: answers after a while. drip: never ends, a byte at a time. reset: the connection is cut before an answer. */
  readonly behaviour?: "slow" | "drip" | "reset"
  /** Where a redirect leads: a path of the site, or an address elsewhere. What its header says is the field `location`. */
  readonly target?: string
  /** The path of the page that this one is only another address of. */
  readonly sameAs?: string
}

export const make = (draft: Partial<Draft> & Pick<Draft, "path" | "write" | "fields">): Draft => ({
  status: 200,
  type: "text/html; charset=utf-8",
  kind: "page",
  foundBy: "link",
  inSitemap: false,
  modified: firstDay,
  facts: {},
  ...draft
})

/** The day on which revision 1 of the site was published. */
export const firstDay = "2026-03-02"

/** A revision comes out every week. */
export const dayOfRevision = (revision: number): string => addDays(firstDay, (revision - 1) * 7)

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Where an absolute address is needed, drafts write these, and they become the visitor's origin, without and with "www.". */
export const originMark = "{{origin}}"
export const wwwMark = "{{www}}"

/** The content as visitors of this origin get it. An origin that is a number has no "www.". */
export const text = (content: string) => (origin: string) => {
  const { host, hostname, protocol } = new URL(origin)
  const named = /[a-z]/i.test(hostname) && !hostname.startsWith("[") && !hostname.startsWith("www.")
  return utf8(content.replaceAll(originMark, origin).replaceAll(wwwMark, named ? `${protocol}//www.${host}` : origin))
}

/** What is not a page, as it is written. */
export const file = (path: string, type: string, content: string): Draft =>
  make({ path, type, kind: "file", fields: { content }, write: text(content) })

/** A page without the shell of the site, as other programs write them. */
export const bare = (path: string, title: string, html: string, more: Partial<Draft> = {}): Draft =>
  make({ path, fields: { title }, write: text(html), ...more })

export const redirect = (path: string, status: 301 | 302 | 307 | 308, location: string, target: string): Draft => {
  const html = `<!doctype html><title>Moved</title><p>This page is at <a href="${location}">${location}</a>.</p>\n`
  return bare(path, "Moved", html, { status, kind: "redirect", target, fields: { location } })
}
