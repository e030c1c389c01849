/**
 * The page as its readers share it: the tree, its elements in order, addresses made absolute, and the way to each
 * element.
 *
 * Readers make values through `value` and `source`, so each value has its place and none is longer than `maxText`.
 */
import { firstNot } from "#base/firstNot"
import { Addresses } from "#page/Address"
import { contentOf, type Element, elements, parse, textOf } from "#page/Dom"
import { showHiddenList } from "#page/hiddenList"
import type { Kind, Property, Source, Thing, Value } from "../Candidates.ts"

/** A longer text is cut: nobody asks for more of one value. */
export const maxText = 20_000

const maxName = 200

export class Page {
  readonly html: string
  readonly url: string
  readonly root: Element
  readonly elements: ReadonlyArray<Element>
  /** Where the permalinks lead that stood in an element: "#install". They are not part of the tree. */
  readonly permalinks: ReadonlyMap<Element, string>
  /** Whether a list is read that is hidden until a script shows it. */
  readonly hasHiddenList: boolean
  /** Whether it says more than was read of it (`Budget.ts`). */
  isCut = false
  /** Tells that it does. */
  readonly cut = (): void => {
    this.isCut = true
  }
  private readonly addresses: Addresses
  private readonly paths = new Map<Element, string>()
  private readonly apart = new Map<Element, boolean>()
  private readonly footed = new Map<Element, boolean>()
  private foot: { readonly element: Element | undefined } | undefined
  private ids: Map<string, Element> | undefined
  private above: ReadonlyArray<Element> | undefined

  constructor(html: string, url: string) {
    this.html = html
    this.url = url
    this.root = parse(html)
    this.permalinks = takePermalinks(this.root, url)
    this.elements = elements(this.root)
    this.hasHiddenList = this.elements.some(isHiddenRecord) && showHiddenList(this.root)
    this.addresses = new Addresses(url)
    for (const { name, attributes } of this.elements) {
      if (name === "base" && attributes.has("href")) this.addresses.rebase(attributes.get("href") ?? "")
    }
  }

  /** The absolute address; undefined where it is none. */
  resolve(href: string): string | undefined {
    return this.addresses.resolve(href.trim())
  }

  /** The address in an attribute, absolute; as written where it cannot be, undefined where there is none. */
  address(element: Element, attribute: string): string | undefined {
    const written = element.attributes.get(attribute)
    return written === undefined ? undefined : (this.resolve(written) ?? written.trim())
  }

  byId(id: string): Element | undefined {
    if (this.ids === undefined) {
      this.ids = new Map()
      for (const element of this.elements) {
        const own = element.attributes.get("id")
        if (own !== undefined && !this.ids.has(own)) this.ids.set(own, element)
      }
    }
    return this.ids.get(id)
  }

  /** Whether it leads through the site rather than being what the page is about. */
  isApart(element: Element): boolean {
    return inherited(element, this.apart, isNavigation)
  }

  isInFooter(element: Element): boolean {
    this.foot ??= { element: footerOf(this.root, this.elements) }
    const { element: own } = this.foot
    return inherited(element, this.footed, (one) => one === own || isFooter(one))
  }

  /** The headings that are seen, in order. */
  get headings(): ReadonlyArray<Element> {
    this.above ??= this.elements.filter(({ name, isVisible }) => isVisible && /^h[1-6]$/.test(name))
    return this.above
  }

  /** The last heading that ends before a place. */
  headingAbove(from: number): Element | undefined {
    return this.headings[firstNot(this.headings, ({ to }) => to <= from) - 1]
  }

  /** What a list of things is called: the text of the heading above it. */
  nameAbove(from: number): { readonly name?: string } {
    const heading = this.headingAbove(from)
    const name = heading === undefined ? "" : textOf(heading, maxName)
    return name === "" ? {} : { name }
  }

  /** What lists are called together that each have a heading of their own: the heading above that of the first one. */
  nameOfParts(from: number): { readonly name?: string } {
    const own = this.headingAbove(from)
    return own === undefined ? {} : this.nameAbove(own.from)
  }

  /** "#specs > tr[3] > td[2]": from the nearest element with an id, or from the body. */
  pathOf(element: Element): string {
    const known = this.paths.get(element)
    if (known !== undefined) return known
    const { parent } = element
    if (parent === undefined) return ""
    const counts = new Map<string, number>()
    const before = isStart(parent) ? "" : `${this.pathOf(parent)} > `
    for (const child of parent.children) {
      if (child._tag === "Text") continue
      const count = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, count)
      const id = child.attributes.get("id")
      const step = count === 1 ? child.name : `${child.name}[${count}]`
      this.paths.set(child, id === undefined || id === "" || id.length > 100 ? before + step : `#${id}`)
    }
    return this.paths.get(element) ?? element.name
  }

  /** Joins consecutive elements to one, at the place of the first. */
  together(elements: readonly [Element, ...ReadonlyArray<Element>]): Element {
    const [first] = elements
    const to = elements.at(-1)?.to ?? first.to
    const made: Element = { ...first, name: "div", attributes: new Map(), children: elements, inner: first.from, to }
    this.paths.set(made, this.pathOf(first))
    return made
  }

  source(kind: Kind, element: Element, path = this.pathOf(element)): Source {
    return { kind, path, span: [element.from, element.to] }
  }

  /** A value that stands in an element. */
  value(kind: Kind, data: Value["data"], element: Element, path?: string, href?: string): Value {
    return valueOf(data, this.source(kind, element, path), href)
  }

  /** A value that stands in the start tag of an element. */
  attribute(kind: Kind, data: string, element: Element, path = this.pathOf(element), href?: string): Value {
    return valueOf(data, { kind, path, span: [element.from, element.inner] }, href)
  }
}

const isHiddenRecord = ({ isVisible, name }: Element): boolean => !isVisible && (name === "tr" || name === "li")

/** A thing while it is being read. */
export interface Growing extends Thing {
  readonly properties: Array<Property>
}

export const thing = (source: Source, types: ReadonlyArray<string> = [], id?: string): Growing =>
  id === undefined || id === ""
    ? { _tag: "Thing", types, source, properties: [] }
    : { _tag: "Thing", types, id, source, properties: [] }

export const valueOf = (data: Value["data"], source: Source, href?: string): Value => {
  const cut = typeof data === "string" ? bare(data.length > maxText ? data.slice(0, maxText) : data) : data
  return href === undefined ? { _tag: "Value", data: cut, source } : { _tag: "Value", data: cut, source, href }
}

/** A text without the blanks, and the marks for the direction of writing, at its ends. */
export const bare = (text: string): string => {
  const plain = text.trim()
  return directed.test(plain) ? plain.replaceAll(atEnds, "") : plain
}

const directed = /^[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]$/
const atEnds = /^[\s\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+|[\s\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/g

/** Whether a claim is true of an element or of what it stands in. */
const inherited = (element: Element, known: Map<Element, boolean>, claim: (element: Element) => boolean): boolean => {
  const before = known.get(element)
  if (before !== undefined) return before
  const { parent } = element
  const is = (parent !== undefined && inherited(parent, known, claim)) || claim(element)
  known.set(element, is)
  return is
}

const isStart = ({ name }: Element): boolean => name === "" || name === "html" || name === "body"

/**
 * Which elements lead through the site: menus, crumbs and pagers, by element, role, or by the words of class and id where
 * most of the text is links (the menu of a restaurant is none).
 */
const isNavigation = (element: Element): boolean => {
  const { name, attributes } = element
  if (name === "nav") return true
  if (attributes.size === 0 || name === "body" || name === "html" || name === "main") return false
  const role = attributes.get("role")
  if (role !== undefined && roles.has(role)) return true
  const isMarked = marked.test(attributes.get("class") ?? "") || marked.test(attributes.get("id") ?? "")
  return isMarked && isMostlyLinks(element)
}

/** Whether so much of its text is links. */
const isMostlyLinks = (element: Element, share = 0.6): boolean => {
  const all = textOf(element, maxNavigationText).length
  let linked = 0
  for (const part of elements(element, maxParts))
    if (part.name === "a") linked += textOf(part, maxNavigationText).length
  return linked >= all * share
}

/** A menu of a whole site is judged by its beginning. */
const maxNavigationText = 3000
const maxParts = 300

const isFooter = ({ name, parent, attributes }: Element): boolean =>
  (name === "footer" && !hasArticle(parent)) ||
  attributes.get("role") === "contentinfo" ||
  attributes.get("id") === "footer"

const hasArticle = (element: Element | undefined): boolean => {
  for (let at = element; at !== undefined; at = at.parent) {
    if (at.name === "article" || at.name === "main" || at.name === "li") return true
  }
  return false
}

const roles = new Set(["navigation", "menu", "menubar", "tablist", "toolbar", "search"])

const marked =
  /(?:^|\s)(?:(?:main|site|page|top|global|primary|secondary|side|mobile|sub|footer|header|user|lang(?:uage)?)[-_]?)?(?:nav(?:bar|igation)?|menu|bread-?crumbs?|paginat(?:ion|or)|pager|toolbar|cookie[\w-]{0,30}|sitemap|skip-?links?|social-?(?:links|share|media)|share-?(?:links|buttons))(?:[-_](?:list|container|wrapper|links|items?|primary|main|menu|bar))?(?:\s|$)/i

/**
 * The foot of a page that no element and no id calls so: what holds its copyright, and is links for the most part.
 *
 * Frameworks make pages of nothing but `div`, whose foot has lists of links with headings: as a list it is like the cards of the
 * page, and it stands under the last heading of the page, as they do.
 */
const footerOf = (root: Element, elements: ReadonlyArray<Element>): Element | undefined => {
  const signed = elements.findLast((element) => element.isVisible && isSigned(element))
  const marks = elements.filter(({ name }) => name === "h1" || name === "main" || name === "article")
  let found: Element | undefined
  for (let at = signed; at !== undefined && mayBe(at, root, marks); at = at.parent) {
    if (isMostlyLinks(at, least)) found = at
  }
  return found
}

const isSigned = ({ children }: Element): boolean =>
  children.some((child) => child._tag === "Text" && copyright.test(child.text.slice(0, 500)))

const copyright = /©|\bcopyright\b|all rights reserved|\(c\)\s{0,3}(?:19|20)\d\d/i

/** It is short and at the end, and holds nothing of what marks the page itself; without such marks it is not all of the page. */
const mayBe = (element: Element, { to }: Element, marks: ReadonlyArray<Element>): boolean =>
  element.parent !== undefined &&
  element.name !== "body" &&
  element.to >= to * 0.8 &&
  (marks.length > 0 || element.from >= to * 0.3) &&
  !marks.some((mark) => isIn(mark, element) || isIn(element, mark)) &&
  textOf(element, maxFooterText + 1).length <= maxFooterText

const maxFooterText = 3000
const least = 0.4

const isIn = (element: Element, outer: Element): boolean => element.from >= outer.from && element.to <= outer.to

/*
 * Links beside a heading that lead to the heading itself: "¶", "#", a picture of a chain, "Permalink to this heading".
 *
 * They are there for who wants to copy an address. No reader of the page takes them for a part of the heading, so they are
 * taken out of the tree before it is read; where each leads to is kept.
 */

/** Takes them out of a tree that nobody else has, and answers where they led, by what they stood in. */
const takePermalinks = (root: Element, url: string): ReadonlyMap<Element, string> => {
  const found = new Map<Element, string>()
  const page = url.replace(/#.*$/, "")
  const visit = (parent: Element, isTitle: boolean): void => {
    let hasLink = false
    for (const child of parent.children) {
      if (child._tag === "Text") continue
      const target = child.name === "a" ? targetOf(child, page, isTitle) : undefined
      if (target === undefined) visit(child, isTitle || titles.has(child.name))
      else {
        hasLink = true
        if (!found.has(parent)) found.set(parent, target)
      }
    }
    if (!hasLink) return
    const children = parent.children.filter(
      (child) => child._tag === "Text" || child.name !== "a" || targetOf(child, page, isTitle) === undefined
    )
    Object.assign(parent, { children })
  }
  visit(root, titles.has(root.name))
  return found
}

const titles = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "dt", "caption", "figcaption", "legend", "summary"])

/** The part of the page that a permalink leads to; undefined where a link is none. */
const targetOf = (link: Element, page: string, isTitle: boolean): string | undefined => {
  const { attributes } = link
  const href = attributes.get("href")?.trim() ?? ""
  const target = href.startsWith("#") ? href : href.startsWith(`${page}#`) ? href.slice(page.length) : ""
  if (target.length < 2) return undefined
  const text = contentOf(link, maxLinkText).replaceAll(invisible, "").trim()
  if (marks.test(text) || wording.test(text)) return target
  if (text !== "" || link.children.some((child) => child._tag === "Element" && child.name === "img")) return undefined
  const isCalled = wording.test((attributes.get("title") ?? attributes.get("aria-label") ?? "").trim())
  return isTitle || isCalled || named.test(attributes.get("class") ?? "") ? target : undefined
}

const maxLinkText = 200
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]|\ufe0e|\ufe0f/g
const marks = /^(?:[¶#§∞⚓🔗⛓]|\[?link\]?|\[#\])$/iu
const wording =
  /^(?:[#¶]\s*)?(?:perma-?link|direct link|(?:copy )?link to (?:this|the) (?:heading|section|definition|image|table|code|term|headline|page)|anchor(?: link)?(?:$| (?:to|for))|link zu diese|permanenter link|direktlink|lien (?:permanent|vers)|enlace permanente|link permanente|collegamento permanente|permanente link|постоянная ссылка|固定链接|永久链接|固定リンク|パーマリンク|고유 링크)/iu
const named =
  /(?:^|[\s_-])(?:header-?link|heading-?(?:link|anchor)|section-?link|anchor(?:js-link|-link)?|perma-?link|hash-?link|deep-?link)(?:$|[\s_-])/i
