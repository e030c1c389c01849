/**
 * The caller's headers in a browser: sent with every request to one host, and with none to another.
 *
 * The law: a redirect off the host loses them. Playwright's routes carry headers along redirects, so each request is
 * looked at here, hop by hop, as Chromium itself announces it.
 */
import type * as Playwright from "playwright-core"

export const ownHeaders = async (
  page: Playwright.Page,
  url: URL,
  headers: Readonly<Record<string, string>>
): Promise<void> => {
  const { "user-agent": _, cookie, ...own } = headers
  if (cookie !== undefined) await page.context().addCookies(cookiesOf(cookie, url))
  if (Object.keys(own).length === 0) return
  const session = await page.context().newCDPSession(page)
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    const kept = Object.entries(request.headers).filter(([name]) => !Object.hasOwn(own, name.toLowerCase()))
    const isOwn = URL.parse(request.url)?.host === url.host
    const sent = (isOwn ? [...kept, ...Object.entries(own)] : kept).map(([name, value]) => ({ name, value }))
    // A request that the page gave up meanwhile cannot go on: nobody waits for it.
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
