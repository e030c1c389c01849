/** How a person goes through the views of the explorer, served or exported: each step ends when its view is there. */
import type { Page } from "playwright-core"

export const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name })

/** Puts a query in the place of what the editor has, as somebody does who pastes one. */
export const writeSql = async (page: Page, sql: string): Promise<void> => {
  await page.getByRole("textbox", { name: "SQL" }).focus()
  await page.keyboard.press("Control+A")
  await page.keyboard.insertText(sql)
}

/** Chooses a question, whose answer is drawn. */
export const askQuestion = async (page: Page): Promise<void> => {
  await view(page, "SQL").click()
  await page.getByLabel("Questions").selectOption({ label: "Rows by content_type" })
  await page.getByRole("img", { name: "Bar chart: rows by content_type" }).waitFor()
}

export const listRuns = async (page: Page): Promise<void> => {
  await view(page, "Runs").click()
  await page.getByRole("table").waitFor()
}

/** Opens the first of the runs that are listed. */
export const openRun = async (page: Page): Promise<void> => {
  await page.getByRole("table").getByRole("link").first().click()
  await page.getByRole("heading", { name: "Rejects" }).waitFor()
}

export const showDifferences = async (page: Page): Promise<void> => {
  await view(page, "Differences").click()
  await page.getByRole("article").first().waitFor()
}
