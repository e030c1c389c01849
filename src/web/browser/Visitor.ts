/**
 * How the browser presents itself: the window of a desktop or a phone, our own name in the user agent, the caller's
 * languages.
 */
import type * as Playwright from "playwright-core"
import type { ScrapeOptions } from "#contract/ScrapeOptions"
import { productToken } from "../Fetch.ts"

export const of = (
  options: ScrapeOptions,
  headers: Readonly<Record<string, string>>,
  version: string
): Playwright.BrowserContextOptions => {
  const locale = options.location?.languages?.[0]
  return {
    ...(options.mobile === true ? phone(version) : desktop(version)),
    ...(headers["user-agent"] === undefined ? {} : { userAgent: headers["user-agent"] }),
    ...(locale !== undefined && isLocale(locale) ? { locale } : {}),
    acceptDownloads: false,
    serviceWorkers: "block"
  }
}

const desktop = (version: string): Playwright.BrowserContextOptions => ({
  viewport: { width: 1280, height: 800 },
  userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36 ${productToken}/0.1`
})

const phone = (version: string): Playwright.BrowserContextOptions => ({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  userAgent: `Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Mobile Safari/537.36 ${productToken}/0.1`
})

const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
