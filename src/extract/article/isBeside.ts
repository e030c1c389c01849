/** Whether an element stands in comments, in cards of other posts or in boxes beside: what it says is not of the page. */
import type { Element } from "#page/Dom"

export const isBeside = (element: Element): boolean => {
  for (let at: Element | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === "body") return false
    if (at.name === "blockquote" || at.name === "form" || (at.name === "footer" && at !== element)) return true
    if (beside.test(at.attributes.get("class") ?? "") || beside.test(at.attributes.get("id") ?? "")) return true
    if (at.name === "article") return false
  }
  return false
}

/** A class or an id by itself: "newsletter-post" is a post, "elementor-widget" any part of a page. */
const beside =
  /(?:^|\s)(?:(?:post|entry|blog|article|user|js|the)[-_])?(?:comments?(?:[-_](?:list|body|area|content|author|wrapper|section|thread|item|meta|metadata|text))?|comment-?list|respond|disqus[\w-]*|related(?:[-_][\w-]+)?|recommended(?:[-_][\w-]+)?|recirc[\w-]*|trending|popular(?:[-_]posts)?|side-?bar(?:[-_][\w-]+)?|widget(?:[-_]area)?|testimonials?|reviews?(?:[-_]list)?|carousel|slider|newsletter(?:[-_](?:form|signup|box))?|promo|more[-_](?:posts|stories|articles|from)|latest(?:[-_][\w-]+)?|you[-_]may[\w-]*|read[-_](?:more|next)|next[-_]posts?|recent[-_]posts?)(?=\s|$)/i
