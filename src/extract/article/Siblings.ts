/** What stands beside the best container and belongs to it: leads, and articles cut in pieces by what was taken out. */
import * as Draft from "./Draft.ts"
import * as Measure from "./Measure.ts"

/** Moves the container and what belongs to it into one new element. */
export const gather = (top: Draft.Node): Draft.Node => {
  const article = Draft.element("div")
  const score = top.score ?? 0
  const least = Math.max(10, score * 0.2)
  const classes = top.attribute("class") ?? ""
  let sibling = Draft.elementFrom(top.parent?.first)
  while (sibling !== undefined) {
    const next: Draft.Node | undefined = Draft.elementFrom(sibling.next)
    const bonus = classes !== "" && sibling.attribute("class") === classes ? score * 0.2 : 0
    const isPart =
      sibling === top || (sibling.score !== undefined && sibling.score + bonus >= least) || isParagraph(sibling)
    if (isPart) {
      if (!kept.has(sibling.name)) Draft.rename(sibling, "div")
      Draft.append(article, sibling)
    }
    sibling = next
  }
  return article
}

/** A long one without many links, or a short one that ends like a sentence. */
const isParagraph = (node: Draft.Node): boolean => {
  if (node.name !== "p") return false
  const { length, linked } = Measure.of(node)
  if (length > 80) return linked / length < 0.25
  return length > 0 && length < 80 && linked === 0 && /\.( |$)/.test(Draft.textOf(node, 1000).trim())
}

const kept = new Set(["div", "article", "section", "p", "ol", "ul"])
