/**
 * Links beside a heading that lead to the heading itself: "¶", "#", a picture of a chain, "Permalink to this heading".
 *
 * They are there for who wants to copy an address. No reader of the page takes them for a part of the heading, so they are
 * taken out of the tree before it is read; where each leads to is kept.
 */
import { contentOf, type Element } from "#page/Dom"

/** Takes them out of a tree that nobody else has, and answers where they led, by what they stood in. */
export const takePermalinks = (root: Element, url: string): ReadonlyMap<Element, string> => {
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
  const text = contentOf(link, maxText).replaceAll(invisible, "").trim()
  if (marks.test(text) || wording.test(text)) return target
  if (text !== "" || link.children.some((child) => child._tag === "Element" && child.name === "img")) return undefined
  const isCalled = wording.test((attributes.get("title") ?? attributes.get("aria-label") ?? "").trim())
  return isTitle || isCalled || named.test(attributes.get("class") ?? "") ? target : undefined
}

const maxText = 200
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]|\ufe0e|\ufe0f/g
const marks = /^(?:[¶#§∞⚓🔗⛓]|\[?link\]?|\[#\])$/iu
const wording =
  /^(?:[#¶]\s*)?(?:perma-?link|direct link|(?:copy )?link to (?:this|the) (?:heading|section|definition|image|table|code|term|headline|page)|anchor(?: link)?(?:$| (?:to|for))|link zu diese|permanenter link|direktlink|lien (?:permanent|vers)|enlace permanente|link permanente|collegamento permanente|permanente link|постоянная ссылка|固定链接|永久链接|固定リンク|パーマリンク|고유 링크)/iu
const named =
  /(?:^|[\s_-])(?:header-?link|heading-?(?:link|anchor)|section-?link|anchor(?:js-link|-link)?|perma-?link|hash-?link|deep-?link)(?:$|[\s_-])/i
