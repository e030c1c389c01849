/** Whether an element stands in comments, in cards of other posts or in boxes beside: what it says is not of the page. */
import type { Element } from "../../html/Dom.ts"

export const isBeside = (element: Element): boolean => {
  for (let at: Element | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === "aside" || at.name === "footer" || at.name === "blockquote" || at.name === "form") return true
    if (
      other.test(`${at.attributes.get("class") ?? ""} ${at.attributes.get("id") ?? ""}`) &&
      at.name !== "body" &&
      at.name !== "html"
    )
      return true
  }
  return false
}

const other =
  /(?:^|[\s_-])(?:comments?|comment-?(?:list|body|author)|respond|related|recommended|recirc|trending|popular|sidebar|widget|testimonials?|reviews?|quote|carousel|slider|newsletter|promo|more-?(?:posts|stories|articles)|latest|teaser|you-?may)(?:$|[\s_-])/i
