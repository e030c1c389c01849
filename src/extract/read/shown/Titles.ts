/**
 * The title of a block: in a heading, or in an element whose class says so.
 */
import type { Element } from "#page/Dom"
import { classNames } from "./ClassNames.ts"

/** Classes of a title. */
const titles: ReadonlySet<string> = new Set(["title", "name", "headline"])

/** Whether an element is in the title of its block. */
export const isInTitle = ({ parent }: Element): boolean => {
  let at = parent
  for (let up = 0; up < 4 && at !== undefined; up++, at = at.parent) {
    if (headings.has(at.name) || classNames(at).some((name) => titles.has(name))) return true
  }
  return false
}

export const headings: ReadonlySet<string> = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "summary", "button"])

export const isNamedHeading = ({ attributes, name }: Element): boolean =>
  /^(?:h[1-6]|dt)$/.test(name) && attributes.has("id")

/** Whether a text is the cut form of a whole one: "A Light ..." of "A Light in the Attic". */
export const isCutOf = (text: string, whole: string): boolean => {
  const begin = text.replace(/\s*(?:\.{2,}|…)$/, "")
  return begin !== text && begin !== "" && whole.startsWith(begin)
}
