/**
 * A picture of a page as a `data:` URL: PNG, or JPEG where a quality is asked for.
 */
import type * as Playwright from "playwright-core"

export interface ScreenshotOptions {
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
