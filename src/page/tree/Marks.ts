/**
 * Elements whose text is never text of the page, even inside a line: links that skip to the content or edit a section, text
 * for screen readers, share buttons, line numbers of code. Most sites use the same classes and ids for them.
 */
import { BLOCK, type Kind, TABLE } from "../Elements.ts"

export const isMark = (kind: Kind, attributes: { get(name: string): string | undefined }): boolean => {
  // A block can hold the text of the page, whatever its name is: the main content finder decides.
  if (isBlock(kind)) return false
  return saysMark(kind.name, attributes.get("class")) || saysMark(kind.name, attributes.get("id"))
}

const saysMark = (element: string, names: string | undefined): boolean =>
  names !== undefined &&
  names.length <= maxNames &&
  (namesMark(names) || (!codes.has(element) && hasName(names, lineNumbers)))

/** On code, "line-numbers" says that its lines are numbered (Prism): it is the code, and not the numbers. */
const codes = new Set(["pre", "code"])

/** Whether it is a block. Table cells and `<pre>` do not count: they can hold line numbers. */
const isBlock = ({ flags, name }: Kind): boolean =>
  ((flags & BLOCK) !== 0 && (flags & TABLE) === 0 && name !== "pre") || name.includes("-")

/** Whether one of these classes or ids names such an element. */
export const namesMark = (names: string): boolean => hasName(names, marks)

const hasName = (names: string, pattern: RegExp): boolean =>
  hint.test(names) && names.split(/\s+/).some((name) => pattern.test(name))

const lineNumbers = /^line-?numbers?$/i

const maxNames = 300

/** Most names contain none of these, so they need no splitting. */
const hint = /skip|sr-only|hidden|reader|share|edit|gutter|line|sharing/i

const marks = new RegExp(
  `^(?:${[
    "skip(?:[-_]?(?:link|nav|links|to-content|content))?|sr-only|visually-?hidden|screen-reader-(?:text|shortcut)",
    "share(?:[-_]?(?:bar|buttons?|links?|this|tools|icons?))?|edit-?(?:page|link|this-page)|mw-editsection",
    "gutter|lineno|linenos|rouge-gutter"
  ].join("|")})$`,
  "i"
)
