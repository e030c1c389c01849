/** What the elements of the Open Law Library are in a text. */
import type { Rules } from "../plain.ts"

export const rules: Rules = {
  inline: new Set(["cite", "em", "strong", "sup", "sub", "s", "u", "b", "i", "span", "code-cite", "font"]),
  numbers: new Set(["num", "conjunction"]),
  headings: new Set(["heading"]),
  rows: new Set(["tr"]),
  cells: new Set(["td", "th"]),
  /** The drafting marks say what is done to a code; what they hold is there in its place as well. */
  dropped: ({ name }) => name.startsWith("codify:") || name === "reason" || name === "annotations" || name === "img",
  notes: ({ name }) => name === "annotation"
}
