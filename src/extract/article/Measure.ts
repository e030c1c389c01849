/**
 * What an element holds, counted: how much text, how much of it in links, which kinds of elements.
 *
 * It is a sum over the children, so a page is counted once however often it is asked, and again only where it changed. A
 * run of white space counts as one character, and as none at the ends.
 */
import type { Node } from "./Draft.ts"

export class Measure {
  length = 0
  /** Characters with all white space. */
  raw = 0
  /** White space where the text begins and where it ends. */
  leads = false
  trails = false
  /** Commas of all scripts, and the plain one alone. */
  commas = 0
  plainCommas = 0
  /** Length of the text in links; a link inside the page counts for a third. */
  linked = 0
  /** Lengths of the text in headings, in lists, and in what usually holds text. */
  headings = 0
  lists = 0
  textish = 0
  /** How many of each. */
  paragraphs = 0
  images = 0
  items = 0
  inputs = 0
  embeds = 0
  videos = 0
  blocks = 0
  breaks = 0
  dataTables = 0
}

export const of = (node: Node): Measure => {
  if (node.measure !== undefined) return node.measure
  const measure = new Measure()
  if (node.name === "") addText(measure, node.text)
  else for (let child = node.first; child !== undefined; child = child.next) addChild(measure, child)
  node.measure = measure
  return measure
}

/** The share of the text that stands in links. */
export const linkDensity = (node: Node): number => {
  const { length, linked } = of(node)
  return length === 0 ? 0 : linked / length
}

const addText = (into: Measure, text: string): void => {
  let length = 0
  let wasSpace = true
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isSpace(code)) {
      if (!wasSpace) length++
      wasSpace = true
      continue
    }
    length++
    wasSpace = false
    if (code === 44) {
      into.commas++
      into.plainCommas++
    } else if (code > 127 && commas.has(code)) into.commas++
  }
  into.raw = text.length
  into.length = wasSpace && length > 0 ? length - 1 : length
  into.leads = text.length > 0 && isSpace(text.charCodeAt(0))
  into.trails = text.length > 0 && wasSpace
}

const addChild = (into: Measure, child: Node): void => {
  const own = of(child)
  if (own.length > 0) {
    if (into.length === 0) into.leads = into.leads || own.leads
    into.length += own.length + (into.length > 0 && (into.trails || own.leads) ? 1 : 0)
    into.trails = own.trails
  } else if (own.raw > 0) {
    if (into.length === 0) into.leads = true
    into.trails = true
  }
  into.raw += own.raw
  into.commas += own.commas
  into.plainCommas += own.plainCommas
  if (child.name === "") return
  into.linked += own.linked
  into.headings += own.headings
  into.lists += own.lists
  into.textish += own.textish
  into.paragraphs += own.paragraphs
  into.images += own.images
  into.items += own.items
  into.inputs += own.inputs
  into.embeds += own.embeds
  into.videos += own.videos
  into.blocks += own.blocks
  into.breaks += own.breaks
  into.dataTables += own.dataTables
  addItself(into, child, own.length)
}

const addItself = (into: Measure, child: Node, length: number): void => {
  if (textish.has(child.name)) into.textish += length
  if (blocks.has(child.name)) into.blocks++
  switch (child.name) {
    case "a": {
      const href = child.attribute("href")
      into.linked += href !== undefined && href.length > 1 && href.startsWith("#") ? length * 0.3 : length
      return
    }
    case "p":
      into.paragraphs++
      return
    case "img":
      into.images++
      return
    case "li":
      into.items++
      return
    case "input":
      into.inputs++
      return
    case "br":
    case "hr":
      into.breaks++
      return
    case "ul":
    case "ol":
      into.lists += length
      return
    case "table":
      if (child.isData) into.dataTables++
      return
    case "iframe":
    case "embed":
    case "object":
      into.embeds++
      if (isVideo(child)) into.videos++
      return
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      into.headings += length
  }
}

/** A frame that asks for the whole screen or says itself that it plays something. */
export const isVideo = (node: Node): boolean => {
  const address = node.attribute("src") ?? node.attribute("data") ?? node.attribute("data-src") ?? ""
  return (
    node.attribute("allowfullscreen") !== undefined || /\bvideos?\b|\bplayer\b|\/embed\//i.test(address.slice(0, 500))
  )
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const textish = set("span li td blockquote dl div img ol p pre table ul")
/** An element that holds one of these is no paragraph. */
const blocks = set("blockquote dl div img ol p pre table ul")

/** Arabic, small, vertical, reversed, medieval, raised, and full-width commas. */
const commas = new Set([0x60c, 0xfe50, 0xfe10, 0xfe11, 0x2e41, 0x2e34, 0x2e32, 0xff0c])

const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  (code > 127 &&
    (code === 0xa0 ||
      code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000 ||
      code === 0xfeff))
