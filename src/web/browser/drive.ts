/**
 * One visit: opens a page, lets it run, performs actions, takes pictures and reads it.
 *
 * Windows that the page opens are closed. The caller limits the time: it ends the context, and with it everything that
 * still waits here.
 */

import type * as Playwright from "playwright-core"
import * as KnownSecrets from "#base/KnownSecrets"
import type { ActionResults } from "#contract/PageDocument"
import * as ScrapeOptions from "#contract/ScrapeOptions"
import { shellEvidence } from "#page/scriptShell"
import { toFetchError } from "../FetchError.ts"
import type { ProxyVisit } from "./ProxyVisit.ts"
import { pageHtml } from "./pageHtml.ts"
import { ActionFailed, elementMillis, performActions, screenshot } from "./performActions.ts"

export interface Rendered {
  /** The final URL of the page. */
  readonly url: string
  readonly status: number
  readonly html: string
  readonly screenshot: string | undefined
  readonly actions: ActionResults | undefined
}

interface Visit {
  readonly url: URL
  readonly options: ScrapeOptions.ScrapeOptions
  /** For the host of `url` alone. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMillis: number
  /** Whether to wait, for a few seconds, until the scripts have finished loading before the page is read. */
  readonly settles: boolean
}

export const drive = async (
  context: Playwright.BrowserContext,
  visit: Visit,
  network: ProxyVisit
): Promise<Rendered> => {
  const { options, timeoutMillis } = visit
  const { assertReached, page, status } = await enter(context, visit, network)
  if (visit.settles) await settle(page)
  if (options.waitFor !== undefined && options.waitFor > 0) await page.waitForTimeout(options.waitFor)
  const actions = options.actions ?? []
  page.setDefaultTimeout(Math.min(elementMillis, timeoutMillis))
  const results = actions.length === 0 ? undefined : await performActions(page, actions)
  const picture = screenshotOf(options)
  const rendered = {
    screenshot: picture === undefined ? undefined : await screenshot(page, picture),
    url: KnownSecrets.masked(page.url()),
    status,
    html: await pageHtml(page),
    actions: results
  }
  assertReached()
  if (network.overflow !== undefined) throw toFetchError(visit.url.href, network.overflow)
  return rendered
}

interface Entered {
  readonly page: Playwright.Page
  readonly status: number
  /** Throws if the page has led to an address that cannot be reached: then the browser shows a page of its own. */
  readonly assertReached: () => void
}

/** Opens the page and waits until it is loaded. A network error is reported as by every other fetch. */
export const enter = async (
  context: Playwright.BrowserContext,
  { headers, timeoutMillis, url }: Pick<Visit, "headers" | "timeoutMillis" | "url">,
  network: ProxyVisit
): Promise<Entered> => {
  const page = await context.newPage()
  page.setDefaultTimeout(Math.min(elementMillis, timeoutMillis))
  context.on("page", (other) => {
    if (other !== page) void other.close().catch(() => {})
  })
  await ownHeaders(page, url, headers)
  let requested = url.href
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requested = request.url()
  })
  const response = await page.goto(url.href, { waitUntil: "load", timeout: timeoutMillis }).catch((cause: unknown) => {
    const failure = network.failureOf(requested)
    throw failure === undefined ? cause : toFetchError(requested, failure)
  })
  const failure = network.failureOf(requested)
  if (failure !== undefined) throw toFetchError(requested, failure)
  const entered = page.url()
  const assertReached = () => {
    const isLost = page.url().startsWith("chrome-error:")
    const left = page.url() === entered ? undefined : network.failureOf(isLost ? requested : page.url())
    if (left !== undefined) throw toFetchError(requested, left)
    if (isLost) throw new Error(`it leads to ${requested}, which does not answer`)
  }
  return { page, status: response?.status() ?? 200, assertReached }
}

/** Waits until the scripts have loaded what they load, and the page says more than that it loads. */
const settle = async (page: Playwright.Page): Promise<void> => {
  await page.waitForLoadState("networkidle", { timeout: settleMillis }).catch(() => {})
  for (let look = 0; look < mostLooks && shellEvidence(await pageHtml(page)) === "empty"; look++) {
    await page.waitForTimeout(lookMillis)
  }
}

/** A page that polls never settles: it is read as it is after this long. */
const settleMillis = 5000
/** So is a page that stays empty. */
const mostLooks = 15
const lookMillis = 200

const screenshotOf = (options: ScrapeOptions.ScrapeOptions) => {
  const format = ScrapeOptions.formatOf(options, "screenshot")
  if (format !== undefined) return format
  const named = options.formats?.find((format) => format === "screenshot" || format === "screenshot@fullPage")
  return named === undefined ? undefined : { fullPage: named === "screenshot@fullPage" }
}

/** The error of a failed visit, in the caller's terms. */
export const explain = (cause: unknown): readonly [code: string, message: string] => {
  const text = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause)
  if (cause instanceof ActionFailed) return ["SCRAPE_ACTION_ERROR", text]
  if (cause instanceof Error && cause.name === "TimeoutError")
    return ["SCRAPE_TIMEOUT", `the browser waited too long: ${text}`]
  if (/ERR_CERT|ERR_SSL/.test(text)) return ["SCRAPE_TLS_ERROR", `the browser cannot trust the page: ${text}`]
  return ["SCRAPE_BROWSER_ERROR", `the browser cannot show the page: ${text}`]
}

/**
 * Sends the caller's headers with every request to one host, and with none to another.
 *
 * A redirect off the host drops them. Playwright's routes would keep headers along redirects, so this intercepts each
 * request, hop by hop, as Chromium announces it.
 */
const ownHeaders = async (
  page: Playwright.Page,
  url: URL,
  headers: Readonly<Record<string, string>>
): Promise<void> => {
  const { "user-agent": _, cookie, ...own } = headers
  if (cookie !== undefined) await page.context().addCookies(cookiesOf(cookie, url))
  if (Object.keys(own).length === 0) return
  const session = await page.context().newCDPSession(page)
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    const inherited = Object.entries(request.headers).filter(([name]) => !Object.hasOwn(own, name.toLowerCase()))
    const isOwn = URL.parse(request.url)?.host === url.host
    const sent = (isOwn ? [...inherited, ...Object.entries(own)] : inherited).map(([name, value]) => ({ name, value }))
    // The page gave the request up meanwhile, so continuing it fails and nothing waits for it.
    void session.send("Fetch.continueRequest", { requestId, headers: sent }).catch(() => {})
  })
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] })
}

/** "a=1; b=2", for the page's own host. */
const cookiesOf = (header: string, url: URL) =>
  header.split(";").flatMap((pair) => {
    const at = pair.indexOf("=")
    const name = pair.slice(0, Math.max(0, at)).trim()
    return name === "" ? [] : [{ name, value: pair.slice(at + 1).trim(), url: url.origin }]
  })
