/**
 * Which elements lead through the site: menus, crumbs and pagers, by element, role, or by the words of class and id where
 * most of the text is links (the menu of a restaurant is none).
 */
import { type Element, elements, textOf } from "#page/Dom"

export const isNavigation = (element: Element): boolean => {
  const { name, attributes } = element
  if (name === "nav") return true
  if (attributes.size === 0 || name === "body" || name === "html" || name === "main") return false
  const role = attributes.get("role")
  if (role !== undefined && roles.has(role)) return true
  const isMarked = marked.test(attributes.get("class") ?? "") || marked.test(attributes.get("id") ?? "")
  return isMarked && isMostlyLinks(element)
}

/** Whether so much of its text is links. */
export const isMostlyLinks = (element: Element, share = 0.6): boolean => {
  const all = textOf(element, maxText).length
  let linked = 0
  for (const part of elements(element, maxParts)) if (part.name === "a") linked += textOf(part, maxText).length
  return linked >= all * share
}

/** A menu of a whole site is judged by its beginning. */
const maxText = 3000
const maxParts = 300

export const isFooter = ({ name, parent, attributes }: Element): boolean =>
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
