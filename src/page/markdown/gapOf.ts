/** The distance between a block element and its neighbours. */
import { BLANK, LINE, SOFT } from "./Blocks.ts"

export const gapOf = (name: string, inList: boolean): number =>
  name === "li" || (inList && lists.has(name)) ? LINE : soft.has(name) ? SOFT : BLANK

const lists = new Set(["ul", "ol", "menu", "dir"])
const soft = new Set([
  "div",
  "section",
  "article",
  "main",
  "header",
  "footer",
  "aside",
  "nav",
  "form",
  "td",
  "th",
  "tr",
  "body",
  "html"
])
