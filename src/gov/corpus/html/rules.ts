/** What the elements of HTML are in the text of a law. */
import type { Rules } from "../plain.ts"

export const rules: Rules = {
  inline: new Set(
    (
      "a abbr acronym b big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup " +
      "time tt u var wbr"
    ).split(" ")
  ),
  numbers: new Set(),
  headings: new Set(),
  rows: new Set(["tr"]),
  cells: new Set(["td", "th"]),
  dropped: ({ name }) => unread.has(name),
  notes: () => false
}

/** What is of the page and not of the law. */
export const unread: ReadonlySet<string> = new Set(
  "script style noscript template nav footer form aside button select iframe svg img object".split(" ")
)
