/**
 * What is inside the article and does not belong to it: forms, frames, share bars, lists of links, advertisements.
 *
 * An element is judged after its contents, so every element is counted once.
 */
import type { Weigh } from "./Container.ts"
import * as Draft from "./Draft.ts"
import * as Hints from "./Hints.ts"
import * as Measure from "./Measure.ts"
import * as Tables from "./Tables.ts"

/** `weight` says what names are worth; with `strict`, parts that look fishy are taken out as well. */
export const clean = (article: Draft.Node, weight: Weigh, strict: boolean): void => {
  Tables.markData(article)
  const drop = (name: string): void => {
    if (strict) dropFishy(article, name, weight)
  }
  drop("form")
  drop("fieldset")
  dropAll(article, (node) => (embeds.has(node.name) ? !Measure.isVideo(node) : never.has(node.name)))
  dropShares(article)
  dropAll(article, (node) => (node.name === "iframe" ? !Measure.isVideo(node) : controls.has(node.name)))
  dropAll(article, (node) => (node.name === "h1" || node.name === "h2") && weight(node) < 0)
  drop("table")
  drop("ul")
  drop("div")
}

const dropAll = (root: Draft.Node, isOut: (node: Draft.Node) => boolean): void => {
  let node = Draft.following(root, root)
  while (node !== undefined) node = isOut(node) ? Draft.removeAndFollow(node, root) : Draft.following(node, root)
}

/** Parts of the article that are named so and hold little; never one of its main parts. */
const dropShares = (article: Draft.Node): void =>
  dropAll(article, (node) => node.parent !== article && Hints.isShare(node.names) && Measure.of(node).raw < maxShared)

const maxShared = 500

const dropFishy = (root: Draft.Node, name: string, weight: Weigh): void => {
  const found = Draft.within(root, (other) => other === name)
  for (let i = found.length - 1; i >= 0; i--) {
    const node = found[i]
    if (node?.parent !== undefined && isFishy(node, weight)) Draft.remove(node)
  }
}

const isFishy = (node: Draft.Node, weight: Weigh): boolean => {
  const measure = Measure.of(node)
  if (node.isData || measure.dataTables > 0 || isInData(node)) return false
  if (Draft.isInside(node, "code", 4) || Draft.holdsQuote(node)) return false
  const worth = weight(node)
  if (worth < 0) return true
  if (measure.plainCommas >= 10 || measure.videos > 0) return false
  if (measure.length < 30 && isNotice(Draft.textOf(node, 200).trim())) return true
  const isList = node.name === "ul" || measure.lists / measure.length > 0.9
  if (!looksFishy(node, measure, worth, isList)) return false
  return !(isList && isListOfImages(node, measure))
}

const looksFishy = (node: Draft.Node, measure: Measure.Measure, worth: number, isList: boolean): boolean => {
  const { length, paragraphs, images, embeds } = measure
  const links = length === 0 ? 0 : measure.linked / length
  const inFigure = Draft.isInside(node, "figure", 4)
  if (!inFigure && images > 1 && paragraphs / images < 0.5) return true
  if (!isList && measure.items - 100 > paragraphs) return true
  if (measure.inputs > Math.floor(paragraphs / 3)) return true
  if (!isList && !inFigure && length < 25 && (images === 0 || images > 2) && links > 0) {
    if (measure.headings / length < 0.9) return true
  }
  if (!isList && worth < 25 && links > 0.2) return true
  if (worth >= 25 && links > 0.5) return true
  if (embeds > 1 || (embeds === 1 && length < 75)) return true
  return images === 0 && measure.textish === 0
}

/** Every item is an image and nothing else. */
const isListOfImages = (node: Draft.Node, measure: Measure.Measure): boolean => {
  for (let item = Draft.elementFrom(node.first); item !== undefined; item = Draft.elementFrom(item.next)) {
    const inner = Draft.elementFrom(item.first)
    if (inner !== undefined && Draft.elementFrom(inner.next) !== undefined) return false
  }
  return measure.images === measure.items
}

const isInData = (node: Draft.Node): boolean => {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.isData) return true
  return false
}

/** "Advertisement", "Loading…", in several languages. */
const isNotice = (text: string): boolean => notices.test(text)

const notices =
  /^(?:ad(?:vertising|vertisement)?|pub(?:licité)?|werb(?:ung)?|广告|реклама|anuncio|(?:loading|正在加载|загрузка|chargement|cargando)(?:…|\.\.\.)?)$/iu

const embeds = new Set(["object", "embed"])
const never = new Set(["footer", "aside"])
const controls = new Set(["input", "textarea", "select", "button"])
