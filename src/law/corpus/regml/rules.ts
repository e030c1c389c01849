/** What the elements of RegML are in a text. */
import type { Rules } from "../plain.ts"

export const rules: Rules = {
  inline: new Set(["ref", "em", "def", "dash", "strong", "sup", "sub", "b", "i", "altText", "variable"]),
  numbers: new Set(),
  headings: new Set(["title", "subject", "keyterm"]),
  rows: new Set(["row", "columnHeaderRow"]),
  cells: new Set(["cell", "column"]),
  lead: ({ attributes: { marker } }) => (marker === undefined || /^\s*$|^interp$/i.test(marker) ? undefined : marker),
  dropped: ({ name }) => name === "tableOfContents" || name === "graphic" || name === "reserved",
  notes: ({ name }) => name === "footnote"
}
