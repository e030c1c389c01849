/** Where a name of the public surface stands: the file of its page, and its heading there. */
import type { Exported } from "./PublicSurface.ts"

export interface Heading {
  readonly namespace?: string
  readonly exported: Exported
}

/** The page of an entry, or of a namespace of `millrace`: "connectors-duckdb.md", "Table.md". */
export const addressOf = (entry: string, namespace?: string): string =>
  entry === "millrace" ? `${namespace ?? entry}.md` : `${entry.slice("millrace/".length).replaceAll("/", "-")}.md`

/** Its kind is part of it: `Table.Batch` and `Table.batch` would have the same anchor. */
export const headingOf = ({ exported, namespace }: Heading): string =>
  `${namespace === undefined ? "" : `${namespace}.`}${exported.name} (${exported.kind})`

/** As GitHub makes it of the heading. */
export const anchorOf = (heading: Heading): string =>
  headingOf(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")
