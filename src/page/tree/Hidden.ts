/**
 * Whether an element is hidden, and by what. Hidden text is left out, but the main content finder reads it first: some pages
 * hide their text until a script shows it.
 */
import { BLOCK, TABLE, UNSEEN } from "../Elements.ts"

/** The attributes of a tag. */
interface Tag {
  get(name: string): string | undefined
  has(name: string): boolean
}

export const SHOWN = 0
/** Hidden by the attribute `hidden`. */
const HIDDEN = 1
/** Hidden from screen readers, by `aria-hidden`. */
export const ARIA = 2
/** Hidden by its style. */
const STYLE = 3
/** In a `<noscript>`: shown only if scripts do not run. */
export const NOSCRIPT = 4

export const veilOf = (name: string, attributes: Tag): number => {
  if (name === "body" || name === "html" || name === "main") return SHOWN
  if (attributes.has("hidden")) return attributes.get("hidden") === "until-found" ? SHOWN : HIDDEN
  if (attributes.get("aria-hidden") === "true") return name === "img" || name === "article" ? SHOWN : ARIA
  const style = attributes.get("style")
  return style !== undefined && invisible.test(style) ? STYLE : SHOWN
}

const invisible = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** Whether the content of an element is never text of the page, even if it is shown. */
export const isMute = (name: string, flags: number): boolean => (flags & UNSEEN) !== 0 && name !== "noscript"

/**
 * Whether a hidden element can hold the text of the page until a script shows it. Hidden text inside a line or a table does
 * not count: it would be joined to visible text.
 */
export const canBeContent = (name: string, flags: number): boolean =>
  ((flags & BLOCK) !== 0 && (flags & TABLE) === 0) || name === "noscript" || name.includes("-")

/** Whether a `<noscript>` is long enough to hold the text of the page, instead of a picture or a request to enable scripts. */
export const isLong = (characters: number): boolean => characters >= minPage

export const minPage = 1500
