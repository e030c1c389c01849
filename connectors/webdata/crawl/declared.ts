/** What a page declares of itself in its head, as columns of text: no reader of `pages` needs functions for JSON. */
import type { PageDocument } from "../../../src/api/PageDocument.ts"
import type * as Table from "../../../src/pipeline/Table.ts"

/** The columns, and what the service calls what they hold. */
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

/** The cells of one page, as the page says them; several values of one name stand in lines of their own. */
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
