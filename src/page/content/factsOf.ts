/** The facts about a page that was parsed into a tree. */
import * as Dom from "../Dom.ts"
import { hashOfText } from "./letters.ts"
import { type PageFacts, spelled, titleHashes, typesOf, wholeTitleHashes } from "./PageFacts.ts"

export const factsOf = (root: Dom.Element, url: string): PageFacts => {
  const titles: Array<string> = []
  const types = new Set<string>()
  let ogType = ""
  let site = ""
  let canonical: string | undefined
  for (const element of Dom.elements(root)) {
    const { attributes, name } = element
    if (name === "title") titles.push(Dom.contentOf(element, 1000))
    else if (name === "meta") {
      const property = attributes.get("property") ?? attributes.get("name") ?? ""
      if (property === "og:type") ogType = (attributes.get("content") ?? "").toLowerCase()
      else if (property === "og:site_name") site = attributes.get("content") ?? ""
      else if (property === "og:title") titles.push(Dom.tidy(attributes.get("content") ?? "", 1000))
    } else if (name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.get("rel") ?? "")) {
      canonical ??= attributes.get("href")
    } else if (name === "script" && attributes.get("type") === "application/ld+json") {
      for (const child of element.children)
        if (child._tag === "Text") for (const type of typesOf(child.text)) types.add(type)
    }
    const itemtype = attributes.get("itemtype")
    if (itemtype !== undefined) types.add(itemtype.slice(itemtype.lastIndexOf("/") + 1))
  }
  return {
    url: spelled(url, canonical),
    ogType,
    types,
    titles: titleHashes(titles),
    wholeTitles: wholeTitleHashes(titles),
    site: hashOfText(site)
  }
}
