/**
 * Reads what a site answered, and judges if that is the page as its reader sees it:
 *
 *     a file ──▶ read in a thread
 *     a page ──▶ read in one pass ──▶ says something ──▶ read
 *                                 └─▶ a shell for scripts ──▶ shown by a browser ──▶ read
 *                                 │                       └─▶ no browser, or nothing shown ──▶ unread, with the reason
 *                                 └─▶ perhaps a shell: it says little, or what another page says ──▶ shown ──▶ read; as sent, if that is all
 *                                                                                               └─▶ no browser ──▶ as sent; unread, where a
 *                                                                                                   browser has shown such pages before
 *     a page for which the plan needs a browser ──▶ shown by it ──▶ read, or unread
 */
import * as Effect from "effect/Effect"
import { firstNot } from "#base/firstNot"
import * as PageUrl from "#contract/PageUrl"
import { decode } from "#page/Charset"
import { contentKind } from "#page/ContentKind"
import type * as Page from "#page/Page"
import {
  isScriptShell,
  isShell,
  maybeShell,
  maybeTemplate,
  type ShellEvidence,
  shellEvidence,
  templateText
} from "#page/scriptShell"
import { Browser } from "./Browser.ts"
import { FetchError } from "./Fetch.ts"
import { type FileKind, fileKind, nameOf, readable } from "./FileKind.ts"
import { FileReader } from "./FileReader.ts"
import type { FinalHop } from "./followRedirects.ts"
import { feedLinks } from "./frontier/Sitemap.ts"
import { fetchOptions, type PageToScrape, type Reading } from "./PageDocuments.ts"
import { parseAside } from "./PageReader.ts"
import { Politeness } from "./Politeness.ts"
import type { PdfRead } from "./readPdf.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"
import type { SiteMemory } from "./scrape/SiteMemory.ts"

/** Reads an answer. */
export const read = Effect.fnUntraced(function* (
  landed: FinalHop,
  plan: ScrapePlan,
  order: PageToScrape,
  sites: SiteMemory
) {
  const sent = yield* answered(landed, plan, order)
  const evidence = isRendered(landed, plan)
    ? undefined
    : (evidenceOf(sent, landed) ?? (yield* evidenceFrom(sites, sent, landed, plan, order)))
  const reading = evidence === undefined ? sent : yield* filledIn(sites, sent, evidence, plan, order)
  const noted = saysNothing(reading) ? { ...reading, warnings: ["the page has nothing to read"] } : reading
  return landed.fetched.isLengthWrong === true ? { ...noted, warnings: [...noted.warnings, wrongLength] } : noted
})

const wrongLength = "the answer is shorter than its Content-Length, so a part of the page may be missing"

/** Whether a page came whole and without a text, and no warning says why. */
const saysNothing = ({ page, status, warnings }: Reading): boolean =>
  isSuccess(status) && page.markdown === "" && warnings.length === 0

/** Whether the browser requests the page from the host again. */
export const isRendered = (landed: FinalHop, plan: ScrapePlan): boolean =>
  plan.needsBrowser && !isFile(landed) && kindOf(landed) === "html"

/** Whether the answer is a file that a thread reads. */
export const isFile = (landed: FinalHop): boolean => fileOf(landed) !== undefined

/** The file that the answer is; undefined: it is one of the web's own kinds. */
const fileOf = ({ url, fetched: { body, contentType, status } }: FinalHop) =>
  status < 400 ? fileKind(contentType, body, url.pathname) : undefined

const kindOf = ({ fetched: { body, contentType } }: FinalHop) => contentKind(contentType, body)

const answered = Effect.fnUntraced(function* (
  landed: FinalHop,
  plan: ScrapePlan,
  order: PageToScrape
): Effect.fn.Return<Reading, FetchError, Browser | FileReader> {
  const { fetched, url } = landed
  if (fetched.status === 304) {
    const message = "the site says that the page has not changed (304), though nobody said what it was before"
    return yield* new FetchError({ url: url.href, code: "SCRAPE_INVALID_RESPONSE", message, retryable: true })
  }
  const file = fileOf(landed)
  if (file !== undefined) {
    const reading = yield* readFile(file, { url: url.href, body: fetched.body }, plan)
    const left = plan.needsBrowser ? ["a file is not opened in the browser: actions and screenshots were left out"] : []
    return { ...answerOf(landed), ...reading, warnings: [...reading.warnings, ...left] }
  }
  if (kindOf(landed) === "other" && fetched.status < 400) {
    const what = fetched.contentType ?? "a file of unknown type"
    const message = `${what} is not a kind of page that can be read`
    return yield* new FetchError({ url: url.href, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message, retryable: false })
  }
  return yield* isRendered(landed, plan) ? inBrowser(landed, plan, order) : asSent(landed, plan)
})

/** What a reading says of the answer itself. */
const answerOf = ({ fetched, url }: FinalHop) => {
  const { bodyBytes, contentType, elapsedMillis, etag, lastModified, status, wireBytes } = fetched
  return { url, status, contentType, exchange: { elapsedMillis, etag, lastModified, wireBytes, bodyBytes } }
}

/** The page as a browser has it. */
const inBrowser = Effect.fnUntraced(function* (landed: FinalHop, plan: ScrapePlan, order: PageToScrape) {
  const { body, contentType, status } = landed.fetched
  const isFilled = isSuccess(status) && isScriptShell(decode(body, contentType, "html"))
  const reading = yield* render(landed.url, plan, order, isFilled)
  const shown: Reading = { ...reading, exchange: answerOf(landed).exchange }
  if (!isFilled || !isSuccess(shown.status)) return shown
  const whole: Reading = { ...shown, shell: "rendered" }
  return isBlank(shown) ? unread(shown, "SCRAPE_BROWSER_ERROR", blank) : whole
})

/** The page as it was sent, with the links of a feed. */
const asSent = Effect.fnUntraced(function* (landed: FinalHop, plan: ScrapePlan) {
  const { body, contentType, link, refresh, status } = landed.fetched
  const url = landed.url.href
  const parsed = yield* parseAside({ url, body, contentType, link, refresh, status }, plan.page)
  const { page } = parsed
  const links = kindOf(landed) === "xml" ? feedLinks(body, url) : page.links
  const left = plan.needsBrowser ? ["only HTML is opened in the browser: actions and screenshots were left out"] : []
  const isEmpty = page.refresh !== undefined && page.markdown === ""
  const reading: Reading = {
    ...answerOf(landed),
    page: { ...page, links },
    ...("shellEvidence" in parsed ? { shellEvidence: parsed.shellEvidence } : {}),
    credits: 1,
    warnings: isEmpty ? [...left, `the page is empty, and sends its reader to ${page.refresh}`] : left
  }
  return reading
})

/** The evidence that the answer is only a shell for scripts. */
const evidenceOf = (sent: Reading, landed: FinalHop): ShellEvidence | undefined => {
  if (!maybeShell(sent.page) || !isWholePage(sent, landed)) return undefined
  if ("shellEvidence" in sent) return sent.shellEvidence
  return shellEvidence(htmlOf(sent, landed))
}

/** The evidence from another page that says the same. A page as large as a file is no template. */
const evidenceFrom = Effect.fnUntraced(function* (
  sites: SiteMemory,
  sent: Reading,
  landed: FinalHop,
  plan: ScrapePlan,
  order: PageToScrape
) {
  if (!maybeTemplate(sent.page) || !isWholePage(sent, landed) || "shellEvidence" in sent) return undefined
  const template = templateText(htmlOf(sent, landed))
  const isSame = template !== undefined && (yield* sites.saysTheSame(template, sent, plan, order))
  return isSame ? ("template" as const) : undefined
})

const isWholePage = ({ status }: Reading, { fetched: { body, contentType } }: FinalHop): boolean =>
  isSuccess(status) && contentKind(contentType, body) === "html"

const htmlOf = ({ page }: Reading, { fetched: { body, contentType } }: FinalHop): string =>
  page.rawHtml ?? decode(body, contentType, "html")

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** A shell as a browser shows it, or as it was sent, with the reason. A page that says little may be whole as it was sent. */
const filledIn = Effect.fnUntraced(function* (
  sites: SiteMemory,
  sent: Reading,
  evidence: ShellEvidence,
  plan: ScrapePlan,
  order: PageToScrape
) {
  const browser = yield* Browser
  const politeness = yield* Politeness
  const mayBeWhole = evidence === "little" && order.isSiteRendered !== true && !(yield* sites.isRendered(sent.url))
  const failed = (code: string, why: string) => (mayBeWhole ? sent : unread(sent, code, why, whatIs[evidence]))
  if (!(yield* browser.isThere)) return failed("SCRAPE_BROWSER_UNAVAILABLE", noBrowser)
  // A browser that has crashed is started again. A page that took all of its time would take it again.
  const shown = yield* politeness
    .take(sent.url.host, order.delayMillis, render(sent.url, plan, order, true))
    .pipe(Effect.retry({ times: 1, while: ({ code }) => code !== "SCRAPE_TIMEOUT" }), Effect.result)
  if (shown._tag === "Failure") {
    const { code, message } = shown.failure
    const advice = code === "SCRAPE_TIMEOUT" ? "; raise timeout if its scripts need more" : ""
    return failed(code, `, and the browser could not show it: ${message}${advice}`)
  }
  const { page, status, url } = shown.success
  if (!isSuccess(status)) return failed("SCRAPE_BROWSER_ERROR", `, and the browser gets the answer ${status}`)
  const reading: Reading = { ...sent, page, url, shell: "rendered" }
  const isBlankThere = isBlank(shown.success)
  if (isBlankThere) return isShell(evidence) ? unread(sent, "SCRAPE_BROWSER_ERROR", blank) : sent
  if (!isShell(evidence) && !saysMore(shown.success, sent)) return sent
  yield* sites.noteRendered(sent.url, plan)
  return reading
})

/** Whether a page that says little says something else in a browser. */
const saysMore = ({ page, shellEvidence: left }: Reading, { page: before }: Reading): boolean =>
  page.links.length > before.links.length ||
  (page.markdown === undefined ? left === undefined : page.markdown !== before.markdown)

/** A page that was not read as its reader sees it. */
const unread = (reading: Reading, code: string, why: string, what = emptyShell): Reading => ({
  ...reading,
  shell: "empty",
  unread: code,
  warnings: [...reading.warnings, `${what}${why}`]
})

const emptyShell = "the page is an empty shell that scripts fill"
const whatIs: Record<ShellEvidence, string> = {
  empty: emptyShell,
  place: emptyShell,
  little: "the page says little, on a site whose pages a browser has shown before",
  template: "the page says what another page of its site says, as a shell that scripts fill does"
}

/** Whether a browser shows nothing to read, or only that the page loads. */
const isBlank = ({ page: { links, markdown }, shellEvidence: left }: Reading): boolean =>
  links.length === 0 && (left === "empty" || markdown?.trim() === "")

const noBrowser =
  "; with playwright-core (npm install playwright-core) and Chromium (apt-get install chromium, or PLAYWRIGHT_CHROMIUM) " +
  "it is read as a browser shows it"

const blank = ", and there is nothing to read in a browser either; waitFor gives its scripts more time"

/** The page as the browser has it after everything that was requested. */
const render = Effect.fnUntraced(function* (url: URL, plan: ScrapePlan, order: PageToScrape, settles: boolean = false) {
  const browser = yield* Browser
  const { headers } = fetchOptions(plan, order.home ?? new URL(order.url), url)
  const rendered = yield* browser.render(url, plan.options, headers ?? {}, plan.timeoutMillis, settles)
  const contentType = "text/html; charset=utf-8"
  const body = new TextEncoder().encode(rendered.html)
  const { status } = rendered
  const { page } = yield* parseAside({ url: rendered.url, body, contentType, status }, plan.page)
  const reading: Reading = {
    page,
    shellEvidence: maybeShell(page) ? shellEvidence(rendered.html) : undefined,
    url: PageUrl.normalize(rendered.url) ?? url,
    status,
    contentType,
    credits: 1,
    ...(rendered.screenshot === undefined ? {} : { screenshot: rendered.screenshot }),
    ...(rendered.actions === undefined ? {} : { actions: rendered.actions }),
    warnings: []
  }
  return reading
})

/** The part of `PageDocuments.Reading` that reading a file gives. */
interface FileReading {
  readonly page: Page.Page
  readonly credits: number
  readonly numPages?: number
  readonly totalPages?: number
  readonly pages?: ReadonlyArray<{ readonly pageNumber: number; readonly markdown: string }>
  readonly warnings: ReadonlyArray<string>
}

/**
 * A fetched or uploaded file as a page: PDF and Word are read, other known kinds are refused by name.
 */
const readFile = Effect.fnUntraced(function* (
  kind: FileKind,
  file: { readonly url: string; readonly body: Uint8Array },
  plan: ScrapePlan
): Effect.fn.Return<FileReading, FetchError, FileReader> {
  const fail = (code: string, message: string) => new FetchError({ url: file.url, code, message, retryable: false })
  if (kind === "locked") {
    return yield* fail("SCRAPE_FILE_ENCRYPTED_ERROR", "the document is encrypted and needs a password")
  }
  if (!readable.has(kind)) {
    return yield* fail("SCRAPE_UNSUPPORTED_FILE_ERROR", `${nameOf(kind)} cannot be read here; HTML, PDF and DOCX can`)
  }
  if (kind === "pdf" && plan.pdf === undefined) return asBase64(file.body)
  const reader = yield* FileReader
  const read = yield* reader
    .read({ kind: kind === "pdf" ? "pdf" : "docx", bytes: file.body, maxPages: plan.pdf?.maxPages ?? 1 })
    .pipe(Effect.mapError(({ code, message }) => fail(code, message)))
  if (read.kind === "pdf") return ofPdf(read, file.url, plan)
  const body = new TextEncoder().encode(`<html><body>${read.html}</body></html>`)
  // A document has no navigation around its text.
  const options = { ...plan.page, onlyMainContent: false }
  const contentType = "text/html; charset=utf-8"
  const { page } = yield* parseAside({ url: file.url, body, contentType, status: 200 }, options)
  return { page: { ...page, metadata: { ...page.metadata, ...read.facts } }, credits: 1, warnings: read.warnings }
})

/** A PDF that is not to be read is returned as base64 in place of text. */
const asBase64 = (body: Uint8Array): FileReading => {
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64")
  return {
    page: { markdown: base64, html: base64, rawHtml: base64, links: [], metadata: {} },
    credits: 1,
    warnings: []
  }
}

const ofPdf = (read: PdfRead, url: string, plan: ScrapePlan): FileReading => {
  const pages = read.pages.map((markdown, i) => ({ pageNumber: i + 1, markdown }))
  const markdown = pages
    .map(({ pageNumber, markdown }) =>
      plan.pdf?.markers === true && pageNumber > 1 ? `---\n\n<!-- page ${pageNumber} -->\n\n${markdown}` : markdown
    )
    .filter((markdown) => markdown !== "")
    .join("\n\n")
  const empty = pages.every((page) => page.markdown === "")
  return {
    page: {
      markdown,
      ...(plan.page.html ? { html: read.html } : {}),
      ...(plan.page.rawHtml ? { rawHtml: read.rawHtml } : {}),
      links: linksOf(read, markdown, url),
      metadata: { ...read.facts }
    },
    credits: read.pages.length,
    numPages: read.pages.length,
    totalPages: read.numPages,
    ...(plan.pdf?.pages === true ? { pages } : {}),
    warnings: [
      ...(read.numPages > read.pages.length
        ? [`the PDF has ${read.numPages} pages; the first ${read.pages.length} were read`]
        : []),
      ...(read.unknownEncodings.length > 0 ? [`text of the PDF is left out: ${unknownText(read)}`] : []),
      ...(empty && read.unknownEncodings.length === 0
        ? ["the PDF holds no text: its pages are pictures, which this service does not read"]
        : [])
    ]
  }
}

const unknownText = ({ unknownEncodings }: PdfRead): string =>
  `its letters are numbers in the encoding ${unknownEncodings.join(", ")}, whose table is not in the file`

/**
 * The targets of its links, and the URLs in its text. A URL that continues in the next line is known completely only by
 * its link.
 */
const linksOf = ({ links }: PdfRead, markdown: string, url: string): ReadonlyArray<string> => {
  const linked = links.flatMap((written) => webAddress(written, url))
  // Sorted, so that a URL's longer forms follow it directly.
  const ordered = linked.toSorted()
  const isBegin = (href: string) => ordered[firstNot(ordered, (other) => other <= href)]?.startsWith(href) === true
  const written = (markdown.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [])
    .flatMap((address) => webAddress(address.replaceAll("\\", "").replace(/[.,;:]+$/, "")))
    .filter((href) => !isBegin(href))
  return [...new Set([...linked, ...written])]
}

const webAddress = (written: string, base?: string): ReadonlyArray<string> => {
  const url = URL.parse(written, base)
  return url !== null && /^https?:$/.test(url.protocol) ? [url.href] : []
}
