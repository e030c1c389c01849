/**
 * What a page says of the one thing that it is about in data attributes: `data-sku="L-7"`, `data-product-ean`.
 *
 * Only names of article numbers are read, because other attributes are settings of scripts, and only where all elements
 * with the name say the same: several numbers are those of several things.
 */
import type { Element } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import type { Page } from "../../page/Page.ts"

export const read = (page: Page): ReadonlyArray<Property> => {
  const found = new Map<string, { readonly value: string; readonly element: Element; isOne: boolean }>()
  for (const element of page.elements) {
    if (element.attributes.size === 0) continue
    for (const [attribute, written] of element.attributes) {
      const name = named.exec(attribute)?.[1]
      const value = written.trim()
      if (name === undefined || value === "" || value.length > maxValue || /[{}[\]<>\n]/.test(value)) continue
      const known = found.get(name)
      if (known === undefined) found.set(name, { value, element, isOne: !page.isApart(element) })
      else if (known.value !== value) known.isOne = false
    }
  }
  return Array.from(
    found,
    ([name, { element, isOne, value }]): ReadonlyArray<Property> =>
      isOne ? [{ name, value: page.attribute("block", value, element, `${page.pathOf(element)}[data-${name}]`) }] : []
  ).flat()
}

const maxValue = 40
const named = /^data-(?:(?:product|item|article|variant)-?)?(sku|asin|mpn|gtin(?:8|1[234])?|ean(?:13)?|upc|isbn)$/
