/** What the head of a page declares, as text columns, so that readers of `pages` need no JSON functions. */
import type { PageDocument } from "#contract/PageDocument"
import type * as Table from "#engine/Table"

/** The columns, each with the name that the service uses. */
const declared = {
  meta_author: "author",
  meta_keywords: "keywords",
  meta_robots: "robots",
  meta_published: "publishedTime",
  meta_modified: "modifiedTime",
  og_title: "ogTitle",
  og_description: "ogDescription",
  og_type: "ogType",
  og_site_name: "ogSiteName",
  og_url: "ogUrl",
  og_image: "ogImage"
} as const

const columns = Object.entries(declared)

/** The cells of one page, with the page's own values; several values of one name are on separate lines. */
export const declaredCells = (metadata: PageDocument["metadata"]): Table.Row => {
  const cells: Record<string, string | null> = {}
  for (const [column, name] of columns) cells[column] = textOf(metadata[name])
  return cells
}

const textOf = (value: unknown): string | null => {
  if (typeof value === "string") return value
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
  return texts.length === 0 ? null : texts.join("\n")
}
