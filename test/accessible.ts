/** What axe finds on an open page that somebody could not use: the rule, and the beginning of each element. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

// It would read style sheets once more, which a page of a file may not.
const look = (more: string) => `axe.run({ preload: false${more} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]))`

export const violationsOf = async (page: Page): Promise<unknown> => {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ content: axe })
  return page.evaluate(look(""))
}

/** The same in both colour schemes: they differ in nothing but colours, which only a style sheet says. */
export const violationsOfSchemes = async (page: Page): Promise<unknown> => {
  await page.emulateMedia({ colorScheme: "light" })
  const light = await violationsOf(page)
  await page.emulateMedia({ colorScheme: "dark" })
  const dark = await page.evaluate(look(', runOnly: ["color-contrast"]'))
  return { light, dark }
}
