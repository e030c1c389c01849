/**
 * Which element holds the article: paragraphs speak for what they stand in, by their length and their commas, and the
 * farther away an ancestor is the less it hears of them.
 */
import * as Draft from "./Draft.ts"
import * as Hints from "./Hints.ts"
import * as Measure from "./Measure.ts"

/** What can be asked of names: their weight, or nothing where they are not believed. */
export type Weigh = (node: Draft.Node) => number

export const weigh: Weigh = (node) => Hints.weightOf(node.attribute("class")) + Hints.weightOf(node.attribute("id"))

/** The best container; the whole body, in an element of its own, where nothing stands out. */
export const find = (body: Draft.Node, paragraphs: ReadonlyArray<Draft.Node>, weight: Weigh): Draft.Node => {
  const best = bestOf(scoreAll(body, paragraphs, weight))
  const [top] = best
  if (top === undefined || top === body) return wholeBody(body, weight)
  return widen(body, above(body, best, weight), weight)
}

const scoreAll = (
  body: Draft.Node,
  paragraphs: ReadonlyArray<Draft.Node>,
  weight: Weigh
): ReadonlyArray<Draft.Node> => {
  const candidates: Array<Draft.Node> = []
  for (const paragraph of paragraphs) {
    if (paragraph.parent === undefined) continue
    const { length, commas } = Measure.of(paragraph)
    if (length < minLength) continue
    const points = 2 + commas + Math.min(Math.floor(length / 100), 3)
    let ancestor: Draft.Node | undefined = paragraph.parent
    for (let level = 0; ancestor !== undefined && level < 5; level++, ancestor = ancestor.parent) {
      if (ancestor !== body && ancestor.parent === undefined) break
      if (ancestor.score === undefined) {
        ancestor.score = firstScore(ancestor, weight)
        candidates.push(ancestor)
      }
      ancestor.score += points / (level === 0 ? 1 : level === 1 ? 2 : level * 3)
    }
  }
  for (const candidate of candidates) candidate.score = scoreOf(candidate) * (1 - Measure.linkDensity(candidate))
  return candidates
}

const minLength = 25

const scoreOf = (node: Draft.Node): number => node.score ?? 0

const firstScore = (node: Draft.Node, weight: Weigh): number => (firstScores.get(node.name) ?? 0) + weight(node)

const firstScores = new Map<string, number>([
  ["div", 5],
  ...["pre", "td", "blockquote"].map((name) => [name, 3] as const),
  ...["address", "ol", "ul", "dl", "dd", "dt", "li", "form"].map((name) => [name, -3] as const),
  ...["h1", "h2", "h3", "h4", "h5", "h6", "th"].map((name) => [name, -5] as const)
])

/** The five best, the first of equals first. */
const bestOf = (candidates: ReadonlyArray<Draft.Node>): ReadonlyArray<Draft.Node> => {
  const best: Array<Draft.Node> = []
  for (const candidate of candidates) {
    const at = best.findIndex((other) => scoreOf(candidate) > scoreOf(other))
    if (at !== -1) best.splice(at, 0, candidate)
    else if (best.length < 5) best.push(candidate)
    if (best.length > 5) best.pop()
  }
  return best
}

const wholeBody = (body: Draft.Node, weight: Weigh): Draft.Node => {
  const all = Draft.element("div")
  while (body.first !== undefined) Draft.append(all, body.first)
  Draft.append(body, all)
  all.score = firstScore(all, weight)
  return all
}

/** Where three more are nearly as good, the article is in what holds them all. */
const above = (body: Draft.Node, [top, ...others]: ReadonlyArray<Draft.Node>, weight: Weigh): Draft.Node => {
  if (top === undefined) return body
  const near = others.filter((other) => scoreOf(other) / scoreOf(top) >= 0.75).map(ancestorsOf)
  if (near.length < 3) return top
  for (let at = top.parent; at !== undefined && at !== body; at = at.parent) {
    const holder = at
    if (near.filter((ancestors) => ancestors.has(holder)).length < 3) continue
    holder.score ??= firstScore(holder, weight)
    return holder
  }
  return top
}

const ancestorsOf = (node: Draft.Node): ReadonlySet<Draft.Node> => {
  const ancestors = new Set<Draft.Node>()
  for (let at = node.parent; at !== undefined; at = at.parent) ancestors.add(at)
  return ancestors
}

/** A score that rises on the way up means that there is more of the article beside; an only child is its parent. */
const widen = (body: Draft.Node, top: Draft.Node, weight: Weigh): Draft.Node => {
  let best = top
  let last = scoreOf(top)
  const least = last / 3
  for (let at = top.parent; at !== undefined && at !== body; at = at.parent) {
    if (at.score === undefined) continue
    if (at.score < least) break
    if (at.score > last) {
      best = at
      break
    }
    last = at.score
  }
  while (best.parent !== undefined && best.parent !== body && isOnlyElement(best)) best = best.parent
  best.score ??= firstScore(best, weight)
  return best
}

const isOnlyElement = (node: Draft.Node): boolean => {
  const first = Draft.elementFrom(node.parent?.first)
  return first === node && Draft.elementFrom(node.next) === undefined
}
