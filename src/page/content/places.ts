/**
 * Scores the parts of a page, as Readability does. Each block gives points to the parts around it: more points if it is
 * longer or has more commas, and fewer points to a part that is farther away.
 */
import type { Outline } from "./Outline.ts"
import type { Block, Part } from "./Part.ts"

/** Sets the score of every part. Returns the best part; undefined: no part has a score. */
export const scoreParts = ({ blocks, parts }: Outline): Part | undefined => {
  for (const block of blocks) speak(block)
  let best: Part | undefined
  for (const part of parts) {
    if (part.score === 0) continue
    part.score = (part.score + (firstScores.get(part.name) ?? 0)) * (1 - part.counts.linked)
    if (best === undefined || part.score > best.score) best = part
  }
  return best
}

const speak = ({ counts, part }: Block): void => {
  if (counts.chars < minLength) return
  const points = (1 + counts.commas + Math.min(Math.floor(counts.chars / 85), 3)) * (1 - counts.linked)
  let at: Part | undefined = phrases.has(part.name) ? part.parent : part
  for (let level = 0; at?.parent !== undefined && level < 5; level++, at = at.parent) {
    at.score += points / (level === 0 ? 1 : level === 1 ? 2 : level * 3)
  }
}

const minLength = 20
/** Parts that are usually one block. They get no points. */
const phrases = new Set(["p", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "td", "th", "figcaption"])

const firstScores = new Map<string, number>([
  ["article", 8],
  ["main", 8],
  ["div", 5],
  ["section", 5],
  ["td", 3],
  ["blockquote", 3],
  ...["ol", "ul", "dl", "form", "table", "tr", "tbody"].map((name) => [name, -3] as const),
  ...["nav", "footer", "aside", "header"].map((name) => [name, -10] as const)
])
