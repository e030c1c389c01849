/**
 * Performs a caller's actions on a page, in order, and collects their results.
 *
 * Selectors are CSS only. An action that fails ends the scrape and is named in the error. The size of all results
 * together is limited.
 */
import type * as Playwright from "playwright-core"
import type { Action } from "#contract/Actions"
import type { ActionResults } from "#contract/PageDocument"
import { pageHtml } from "./pageHtml.ts"

/** An action did not succeed; the caller must correct it. */
export class ActionFailed extends Error {}

/** An element that has not appeared after this long is not coming. */
export const elementMillis = 10_000

/** The maximum size of all results of one scrape (screenshots, scrapes, returns, PDFs), in characters. */
const maxResults = 40 * 1024 * 1024

export const performActions = async (page: Playwright.Page, actions: ReadonlyArray<Action>): Promise<ActionResults> => {
  const results = new Results()
  for (const [index, action] of actions.entries()) {
    try {
      await perform(page, action, results)
    } catch (cause) {
      const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause)
      throw new ActionFailed(`action ${index + 1} (${action.type}) failed: ${why}`)
    }
  }
  return results
}

class Results {
  readonly screenshots: Array<string> = []
  readonly scrapes: Array<{ readonly url: string; readonly html: string }> = []
  readonly javascriptReturns: Array<{ readonly type: string; readonly value: Json }> = []
  readonly pdfs: Array<string> = []
  /** Private: every other field of the class is a field of the answer. */
  #room = maxResults

  take(size: number): void {
    this.#room -= size
    if (this.#room < 0) throw new Error(`the results of the actions are larger than ${maxResults / 1024 / 1024} MB`)
  }
}

type Json = ActionResults["javascriptReturns"][number]["value"]

const perform = async (page: Playwright.Page, action: Action, results: Results): Promise<void> => {
  switch (action.type) {
    case "wait":
      if (action.selector === undefined) return page.waitForTimeout(action.milliseconds ?? 0)
      await page.waitForSelector(css(action.selector))
      return
    case "click":
      return click(page, action.selector, action.all === true)
    case "write":
      return page.keyboard.type(action.text)
    case "press":
      return page.keyboard.press(action.key)
    case "scroll":
      return scroll(page, action.direction === "up" ? -1 : 1, action.selector)
    case "scrape": {
      const html = await pageHtml(page)
      results.take(html.length)
      results.scrapes.push({ url: page.url(), html })
      return
    }
    case "screenshot": {
      const picture = await screenshot(page, action)
      results.take(picture.length)
      results.screenshots.push(picture)
      return
    }
    case "executeJavascript": {
      const value = await run(page, action.script)
      results.take(JSON.stringify(value).length)
      results.javascriptReturns.push({
        type: value === null ? "null" : Array.isArray(value) ? "array" : typeof value,
        value
      })
      return
    }
    case "pdf": {
      const { format = "A4", landscape = false, scale = 1 } = action
      const bytes = await page.pdf({ format, landscape, scale, printBackground: true })
      results.take(bytes.length)
      results.pdfs.push(`data:application/pdf;base64,${bytes.toString("base64")}`)
    }
  }
}

/** Playwright has other selector languages, which are not part of the contract. */
const css = (selector: string): string => `css=${selector}`

const click = async (page: Playwright.Page, selector: string, all: boolean): Promise<void> => {
  const found = page.locator(css(selector))
  if (!all) return found.first().click()
  await found.first().waitFor({ state: "attached" })
  for (const element of await found.all()) await element.click()
}

const scroll = async (page: Playwright.Page, sign: number, selector: string | undefined): Promise<void> => {
  if (selector === undefined) await page.evaluate((sign) => window.scrollBy(0, sign * window.innerHeight), sign)
  else {
    const part = page.locator(css(selector)).first()
    await part.evaluate((element, sign) => element.scrollBy(0, sign * element.clientHeight), sign)
  }
}

/** A script is an expression, or statements that may return. Its result must be JSON. */
const run = async (page: Playwright.Page, script: string): Promise<Json> => {
  const value: unknown = await page.evaluate(script).catch((cause: unknown) => {
    if (!String(cause).includes("Illegal return")) throw cause
    return page.evaluate(`(async () => {${script}\n})()`)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON text says is JSON
  return JSON.parse(JSON.stringify(value ?? null)) as Json
}

/** A picture of a page as a `data:` URL: PNG, or JPEG if a quality is given. */
interface ScreenshotOptions {
  readonly fullPage?: boolean | undefined
  readonly quality?: number | undefined
  readonly viewport?: { readonly width: number; readonly height: number } | undefined
}

export const screenshot = async (
  page: Playwright.Page,
  { fullPage = false, quality, viewport }: ScreenshotOptions
): Promise<string> => {
  if (viewport !== undefined) await page.setViewportSize({ width: viewport.width, height: viewport.height })
  const kind =
    quality === undefined || quality === 100 ? ({ type: "png" } as const) : ({ type: "jpeg", quality } as const)
  const bytes = await page.screenshot({ fullPage, animations: "disabled", ...kind })
  return `data:image/${kind.type};base64,${bytes.toString("base64")}`
}
