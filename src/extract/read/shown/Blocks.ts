/**
 * Blocks that repeat: siblings of one shape, such as the cards of a shop, the rows of a list, the entries of a feed.
 *
 * Menus, breadcrumbs and footers do not count; the number of groups of a page, and of visits to its elements, is
 * limited.
 */
import { type Element, textOf } from "#page/Dom"
import type { Group, Thing } from "../../Candidates.ts"
import { Budget, maxRows, maxValues } from "../../page/Budget.ts"
import type { Page } from "../../page/Page.ts"
import { blockOf, type Places } from "./Block.ts"
import { elementKey, joinedOf, type Rows } from "./cardLinks.ts"

export const read = (page: Page): ReadonlyArray<Group> => {
  const found: Array<ReadonlyArray<Element>> = []
  for (const parent of [page.root, ...page.elements]) {
    if (!parent.isVisible || skipped.has(parent.name) || parent.children.length < 2 || found.length >= maxFound)
      continue
    const rows = alike(parent, page.cut)
    if (rows.length === 0 || page.isApart(parent) || page.isInFooter(parent)) continue
    for (const row of rows) if (isRich(row)) found.push(row)
  }
  // The largest first, as long as there is room; then as they stand on the page.
  const room = new Budget(maxValues, page.cut)
  const joined = joinedOf(found)
  if (joined.some(({ rows }) => rows.length > maxRows)) page.cut()
  return [...found.map((rows): Rows => ({ rows, top: rows[0] })), ...joined]
    .map((list) => ({ list, weight: weightOf(list.rows) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxGroups)
    .flatMap(({ list }) => groupOf(page, list, room) ?? [])
    .sort((a, b) => a.source.span[0] - b.source.span[0])
}

const maxFound = 1000
const maxGroups = 60
const maxShape = 40
const skipped = new Set([
  "table",
  "tbody",
  "thead",
  "tfoot",
  "tr",
  "dl",
  "select",
  "svg",
  "p",
  "head",
  "picture",
  "ruby",
  "map"
])
const never = new Set([
  "br",
  "hr",
  "p",
  "script",
  "style",
  "link",
  "meta",
  "option",
  "source",
  "img",
  "svg",
  "wbr",
  "b",
  "strong",
  "em",
  "i"
])

/** The children of one shape: one name and one class, or without classes one name and the same parts. */
const alike = (parent: Element, onShort: () => void): ReadonlyArray<ReadonlyArray<Element>> => {
  let byKey: Map<string, Array<Element>> | undefined
  for (const child of parent.children) {
    if (child._tag === "Text" || !child.isVisible || never.has(child.name) || /^h[1-6]$/.test(child.name)) continue
    // Lists hold rows and are none, unless a class says what they are.
    if (/^(?:[ou]l|dl|table)$/.test(child.name) && !child.attributes.has("class")) continue
    byKey ??= new Map()
    const key = elementKey(child)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [child])
    else if (known.length < maxRows) known.push(child)
    else onShort()
  }
  return byKey === undefined ? [] : [...byKey.values()].filter(isAlike)
}

const isAlike = (rows: ReadonlyArray<Element>): boolean => {
  const [first, second] = rows
  if (first === undefined || second === undefined) return false
  const isNamed = ofLists.has(first.name) || first.attributes.has("class")
  if (rows.length < (isNamed ? 2 : 3)) return false
  const shape = shapeOf(first)
  const others = rows.slice(1, 6)
  return others.reduce((sum, row) => sum + likeness(shape, shapeOf(row)), 0) / others.length >= (isNamed ? 0.4 : 0.6)
}

/** What stands for itself: two of them are a list. */
const ofLists = new Set(["li", "article", "details"])

/** The names of the parts, by their depth. */
const shapeOf = (element: Element): ReadonlySet<string> => {
  const shape = new Set<string>([element.name])
  const visit = (parent: Element, depth: number): void => {
    for (const child of parent.children) {
      if (child._tag === "Text" || shape.size >= maxShape) continue
      shape.add(`${depth}${child.name}`)
      if (depth < 4) visit(child, depth + 1)
    }
  }
  visit(element, 1)
  return shape
}

const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const shared = [...a].filter((part) => b.has(part)).length
  return shared / (a.size + b.size - shared)
}

/** Rows with something to read; a row of inline parts is one only where it holds parts of its own. */
const isRich = (rows: ReadonlyArray<Element>): boolean => {
  const some = rows.slice(0, 5)
  const texts = some.map((row) => textOf(row, 200))
  if (texts.filter((text) => text !== "").length < some.length / 2 && !some.some(hasPicture)) return false
  return some[0]?.name !== "span" || some.some((row) => row.children.some((child) => child._tag === "Element"))
}

const hasPicture = (element: Element): boolean =>
  element.children.some((child) => child._tag === "Element" && (child.name === "img" || hasPicture(child)))

const weightOf = (rows: ReadonlyArray<Element>): number => {
  const [first] = rows
  return rows.length * (first === undefined ? 1 : Math.min(10, shapeOf(first).size))
}

/** The blocks as a list, if at least two of them have values. */
export const groupOf = (page: Page, { rows, top }: Rows, room: Budget): Group | undefined => {
  const places: Places = new Map()
  const things: Array<Thing> = []
  for (const row of rows.slice(0, maxRows)) {
    const thing = room.isFull ? undefined : blockOf(page, row, places, room)
    if (thing !== undefined && thing.properties.length > 0) things.push(thing)
  }
  const [first] = things
  const last = things[things.length - 1]
  if (first === undefined || last === undefined || things.length < 2) return undefined
  const parent = rows[0]?.parent
  return {
    source: {
      kind: "block",
      path: parent === undefined ? first.source.path : page.pathOf(parent),
      span: [first.source.span[0], last.source.span[1]]
    },
    things,
    ...page.nameAbove(namedFrom(page, top, first, last))
  }
}

/** Above what the name of a list stands. Where each part has a heading of its own, as the letters of an alphabet, it is above them. */
const namedFrom = (page: Page, top: Element | undefined, first: Thing, last: Thing): number => {
  const begin = first.source.span[0]
  if (top === undefined) return begin
  const above = page.headingAbove(top.from)
  const other = page.headingAbove(last.source.span[0])
  const isOfPart =
    above !== undefined && above !== other && above.name === other?.name && above === page.headingAbove(begin)
  return isOfPart ? above.from : top.from
}
