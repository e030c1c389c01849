/**
 * Whether an element is hidden, and by what. What is hidden is left out, but for the main content finder: pages that a
 * script puts together keep their text in a hidden part until then.
 */
import { BLOCK, TABLE, UNSEEN } from "./Elements.ts"

/** What the rule asks of a tag. */
export interface Tag {
  get(name: string): string | undefined
  has(name: string): boolean
}

export const SHOWN = 0
/** By the attribute `hidden`. */
export const HIDDEN = 1
/** From those who listen. */
export const ARIA = 2
/** By its style. */
export const STYLE = 3
/** Shown only where no script runs. */
export const NOSCRIPT = 4

export const veilOf = (name: string, attributes: Tag): number => {
  if (name === "body" || name === "html" || name === "main") return SHOWN
  if (attributes.has("hidden")) return attributes.get("hidden") === "until-found" ? SHOWN : HIDDEN
  if (attributes.get("aria-hidden") === "true") return name === "img" || name === "article" ? SHOWN : ARIA
  const style = attributes.get("style")
  return style !== undefined && invisible.test(style) ? STYLE : SHOWN
}

const invisible = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** Whether nothing in an element is ever text of the page, however it is shown. */
export const isMute = (name: string, flags: number): boolean => (flags & UNSEEN) !== 0 && name !== "noscript"

/**
 * Whether a hidden element can hold the text of the page until a script shows it. What is hidden in a line or in a table
 * is not: it would run into what is shown.
 */
export const canBeContent = (name: string, flags: number): boolean =>
  ((flags & BLOCK) !== 0 && (flags & TABLE) === 0) || name === "noscript" || name.includes("-")

/** Whether a `<noscript>` is long enough to be the page itself, and not a picture or a hint to switch scripts on. */
export const isLong = (characters: number): boolean => characters >= minPage

export const minPage = 1500
