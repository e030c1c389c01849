/** The way to a page as it shows it: "Home", "Kitchen", "Kettles". */
import { type Element, elements, textOf } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import type { Page } from "../../page/Page.ts"

export const read = (page: Page): ReadonlyArray<Property> => {
  const trail = page.elements.find((element) => element.isVisible && isTrail(element))
  if (trail === undefined) return []
  const parts = elements(trail, maxParts)
  const items = parts.filter(({ name }) => name === "li")
  const steps =
    items.length > 0 ? items : parts.filter((part) => stepNames.has(part.name) && !parts.some(isAround(part)))
  return steps.flatMap((step) => {
    const text = textOf(step, maxText).replace(marks, "")
    return text === "" ? [] : [{ name: "breadcrumb", value: page.value("block", text, step) }]
  })
}

const isTrail = ({ attributes, name }: Element): boolean =>
  (name === "nav" && crumbs.test(attributes.get("aria-label") ?? "")) ||
  (trails.has(name) && (crumbs.test(attributes.get("class") ?? "") || crumbs.test(attributes.get("id") ?? "")))

const crumbs = /bread-?crumb/i
const trails: ReadonlySet<string> = new Set(["nav", "ol", "ul", "div"])
const stepNames: ReadonlySet<string> = new Set(["a", "span"])
/** What stands between two steps. */
const marks = /^[\s/>»›→|]+|[\s/>»›→|]+$/g
const maxParts = 200
const maxText = 200

/** Whether another step stands in this one. */
const isAround =
  (outer: Element) =>
  (inner: Element): boolean =>
    inner !== outer && stepNames.has(inner.name) && inner.from >= outer.from && inner.to <= outer.to
