/**
 * What is never text of a page, also inside a line: links to skip to the content or to edit a section, words for screen
 * readers alone, share buttons, numbers of lines of code. Their classes and ids say so on every site.
 */
import { BLOCK, type Kind, TABLE } from "./Elements.ts"

export const isMark = (kind: Kind, attributes: { get(name: string): string | undefined }): boolean => {
  // A block may hold the page, whatever it is called; the main content finder decides.
  if (isBlock(kind)) return false
  return saysMark(kind.name, attributes.get("class")) || saysMark(kind.name, attributes.get("id"))
}

const saysMark = (element: string, names: string | undefined): boolean =>
  names !== undefined && names.length <= maxNames && (namesMark(names) || (!codes.has(element) && namesNumbers(names)))

/** On code, "line-numbers" says that its lines are numbered (Prism): it is the code, and not the numbers. */
const codes = new Set(["pre", "code"])

/** Blocks but for the cells of tables, in which numbers of lines stand. */
const isBlock = ({ flags, name }: Kind): boolean =>
  ((flags & BLOCK) !== 0 && (flags & TABLE) === 0 && name !== "pre") || name.includes("-")

/** Whether one of the names is a mark's. */
export const namesMark = (names: string): boolean =>
  hint.test(names) && names.split(/\s+/).some((name) => marks.test(name))

const namesNumbers = (names: string): boolean =>
  hint.test(names) && names.split(/\s+/).some((name) => lineNumbers.test(name))

const lineNumbers = /^line-?numbers?$/i

const maxNames = 300

/** Most names have none of these, and need no splitting. */
const hint = /skip|sr-only|hidden|reader|share|edit|gutter|line|sharing/i

const marks = new RegExp(
  `^(?:${[
    "skip(?:[-_]?(?:link|nav|links|to-content|content))?|sr-only|visually-?hidden|screen-reader-(?:text|shortcut)",
    "share(?:[-_]?(?:bar|buttons?|links?|this|tools|icons?))?|edit-?(?:page|link|this-page)|mw-editsection",
    "gutter|lineno|linenos|rouge-gutter"
  ].join("|")})$`,
  "i"
)
