/**
 * Tables: rows as things under the names of their columns, columns as things where rows have names, and tables of
 * labels and values as properties of the page.
 *
 * A table that only arranges the page does not count; a column without a name is called by its number.
 */
import { type Element, elements } from "#page/Dom"
import { headRows } from "#page/tableHead"
import { type RowKind, rowKinds } from "#page/tableRows"
import type { Group, Property, Thing } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { type Growing, type Page, thing } from "../../page/Page.ts"
import { classNames, isLeaf } from "./Classes.ts"
import { type Cell, type Grid, gridOf, isLayout, itemsOf, type Row } from "./Grid.ts"
import { shown } from "./Shown.ts"

interface Tables {
  readonly groups: ReadonlyArray<Group>
  readonly properties: ReadonlyArray<Property>
}

export const read = (page: Page): Tables => {
  const reader = new Reader(page)
  for (const element of page.elements) {
    if (element.name !== "table" || !element.isVisible || page.isApart(element)) continue
    const grid = gridOf(element, page.cut)
    if (isLayout(grid)) reader.items(grid)
    else reader.read(grid)
  }
  return reader.finish()
}

const maxNames = 3
/** Elements of a cell that are looked at. */
const maxParts = 20

class Reader {
  private readonly page: Page
  private readonly room = new Budget(maxValues, () => this.page.cut())
  private readonly groups: Array<Group> = []
  private readonly byNames = new Map<string, Array<Group>>()
  private readonly properties: Array<Property> = []
  /** Tables of labels and values, each as one thing: a page may describe several things with one table each. */
  private readonly labelled: Array<Thing> = []
  /** Numbers in brackets that are less than nothing. */
  private less: ReadonlySet<Element> = new Set()

  constructor(page: Page) {
    this.page = page
  }

  read(grid: Grid): void {
    const heads = headsOf(grid)
    const names = namesOf(grid, heads)
    const body = grid.rows.slice(heads)
    this.less = lessThanNothing(body, grid.width)
    const isNamedByRow = body.length > 0 && body.filter(hasName).length >= body.length * 0.7
    if (heads === 0 && isLabelled(grid, body)) return this.labels(grid, body)
    if (heads === 0 && this.items(grid)) return
    const group = this.rows(grid, names, body)
    if (group !== undefined && heads > 0) {
      const columns = names.join("\n")
      const same = this.byNames.get(columns)
      if (same === undefined) this.byNames.set(columns, [group])
      else same.push(group)
    }
    if (isNamedByRow && grid.width > 2) this.columns(grid, names, body, heads > 0)
    const isPlain = grid.width > 2 && heads === 0 && isNamedByRow
    if (isPlain || (grid.width === 2 && body.every(({ cells }) => (cells[0]?.text.length ?? 0) <= 80))) {
      this.pairs(body, this.properties)
    }
  }

  /** Items of several rows, as cards; whether the table has any. */
  items(grid: Grid): boolean {
    const group = itemsOf(this.page, grid, this.room)
    if (group !== undefined) this.groups.push(group)
    return group !== undefined
  }

  finish(): Tables {
    const groups = [...this.joined(), ...this.groups]
    const parts = this.partsLikePage()
    if (parts.length > 0) {
      const ofParts = new Set(parts.flatMap(({ properties }) => properties))
      const properties = this.properties.filter((property) => !ofParts.has(property))
      return { groups: [...groupOf(parts, { areParts: true }), ...groups], properties }
    }
    const labelled = this.labelled.length < 2 ? [] : groupOf(this.labelled)
    return { groups: [...labelled, ...groups], properties: this.properties }
  }

  /**
   * The tables of labels of parts of the page: the page has one of its own, right below its first heading, and these stand below
   * lower headings and have labels of that one. What they say, they do not say of the page.
   */
  private partsLikePage(): ReadonlyArray<Thing> {
    const [own, ...others] = this.labelled
    const levelOf = ({ source }: Thing) => this.page.headingAbove(source.span[0])?.name
    if (own === undefined || levelOf(own) !== "h1") return []
    if (others.some((other) => levelOf(other) === "h1")) return []
    const labels = new Set(own.properties.map(({ name }) => name))
    return others.filter(({ properties }) => properties.some(({ name }) => labels.has(name)))
  }

  private rows(grid: Grid, names: ReadonlyArray<string>, body: ReadonlyArray<Row>): Group | undefined {
    const things: Array<Thing> = []
    const kinds = kindsOf(body)
    let section: Cell | undefined
    for (const [at, { element, cells }] of body.entries()) {
      if (this.room.isFull) break
      const [only] = cells
      if (kinds[at] === "group") {
        section = only
        continue
      }
      if (kinds[at] === "total") {
        this.total(cells, names)
        continue
      }
      const row = thing(this.page.source("table", element))
      if (section !== undefined) this.add(row.properties, "section", section.element)
      for (const [i, cell] of cells.entries()) {
        if (cell !== undefined && (i === 0 || cell !== cells[i - 1]))
          this.cell(row.properties, names[i] ?? "", cell.element)
      }
      if (row.properties.length > 0) things.push(row)
    }
    if (things.length === 0) return undefined
    const group = this.group(grid, things)
    this.groups.push(group)
    return group
  }

  /** A total says something of all rows, so that it is a property of the page: by its label, and the name of the column where it has several. */
  private total(cells: Row["cells"], names: ReadonlyArray<string>): void {
    const own = cells.filter((cell, i) => cell !== undefined && cell.text !== "" && cell !== cells[i - 1])
    const [first, ...others] = own
    for (const cell of others) {
      if (cell === undefined) continue
      const name = others.length === 1 ? label(first) : `${label(first)} ${names[cells.indexOf(cell)] ?? ""}`
      this.add(this.properties, name, cell.element)
    }
  }

  /** Tables with the same columns as one: a table a year, or a letter, is one list in parts. What each is called is the section of its rows. */
  private joined(): ReadonlyArray<Group> {
    return [...this.byNames.values()].flatMap((groups) => {
      const [first] = groups
      const last = groups.at(-1)
      if (first === undefined || last === undefined || groups.length < 2) return []
      const things = groups.flatMap(({ name, things }) =>
        name === undefined ? things : things.map((row) => inSection(row, name))
      )
      const source = { ...first.source, span: [first.source.span[0], last.source.span[1]] as const }
      return [{ source, things, ...this.page.nameOfParts(first.source.span[0]) }]
    })
  }

  /** Each column as a thing: its head is its name, the heads of the rows are its properties. */
  private columns(grid: Grid, names: ReadonlyArray<string>, body: ReadonlyArray<Row>, hasHeads: boolean): void {
    const things: Array<Thing> = []
    for (let i = 1; i < grid.width; i++) {
      const column: Growing = thing(
        this.page.source("table", grid.element, `${this.page.pathOf(grid.element)} > column[${i + 1}]`)
      )
      const head = hasHeads ? grid.rows[0]?.cells[i] : undefined
      if (head !== undefined && names[i] !== "") this.add(column.properties, "name", head.element)
      for (const { cells } of body) {
        const value = cells[i]
        if (value !== undefined && value !== cells[0]) this.add(column.properties, label(cells[0]), value.element)
      }
      if (column.properties.length > 1) things.push(column)
    }
    if (things.length > 1) this.groups.push(this.group(grid, things))
  }

  private labels(grid: Grid, body: ReadonlyArray<Row>): void {
    const made = thing(this.page.source("table", grid.element))
    this.pairs(body, made.properties)
    for (const property of made.properties) this.properties.push(property)
    if (grid.caption !== undefined) {
      const caption = grid.element.children.find((child) => child._tag === "Element" && child.name === "caption")
      if (caption?._tag === "Element") this.add(made.properties, "name", caption)
    }
    if (made.properties.length > 0) this.labelled.push(made)
  }

  /** Each head with the cells behind it; without heads the first cell with the others. */
  private pairs(body: ReadonlyArray<Row>, into: Array<Property>): void {
    for (const { cells } of body) {
      let name = ""
      for (const [i, cell] of cells.entries()) {
        if (cell === undefined || cell === cells[i - 1]) continue
        if (cell.isHead || i === 0) name = label(cell)
        else this.add(into, name, cell.element)
      }
    }
  }

  /** With what the classes in it name, where it says several things: `name` and `description`. */
  private cell(into: Array<Property>, name: string, element: Element): void {
    this.add(into, name, element)
    const parts = elements(element, maxParts).flatMap((part) => {
      const [own] = part.isVisible && isLeaf(part) ? classNames(part) : []
      return own === undefined ? [] : [{ own, part }]
    })
    if (new Set(parts.map(({ own }) => own)).size > 1) for (const { own, part } of parts) this.add(into, own, part)
  }

  private add(into: Array<Property>, name: string, element: Element): void {
    if (name === "") return
    const value = shown(this.page, "table", element)
    if (value === undefined || !this.room.take()) return
    into.push({ name, value: this.less.has(element) ? { ...value, isLess: true } : value })
  }

  private group(grid: Grid, things: ReadonlyArray<Thing>): Group {
    const source = this.page.source("table", grid.element)
    const name = grid.caption ?? grid.element.attributes.get("aria-label")
    return name === undefined ? { source, things, ...this.page.nameAbove(grid.element.from) } : { source, things, name }
  }
}

const groupOf = (things: ReadonlyArray<Thing>, more: Pick<Group, "areParts"> = {}): ReadonlyArray<Group> => {
  const [first] = things
  const last = things.at(-1)
  if (first === undefined || last === undefined) return []
  return [{ source: { ...first.source, span: [first.source.span[0], last.source.span[1]] }, things, ...more }]
}

const inSection = (row: Thing, name: string): Thing => ({
  ...row,
  properties: [...row.properties, { name: "section", value: { _tag: "Value", data: name, source: row.source } }]
})

const label = (cell: Cell | undefined): string => (cell?.text ?? "").replace(/\s*[:：]$/, "").slice(0, 200)

const hasName = ({ cells }: Row): boolean =>
  cells[0]?.isHead === true && cells.slice(1).some((cell) => cell?.isHead === false)

/** How many rows at the top only name columns. */
const headsOf = ({ rows }: Grid): number => {
  let heads = 0
  while (heads < maxNames && rows[heads]?.isHead === true && heads < rows.length - 1) heads++
  if (heads > 0 || rows.some(({ cells }) => cells[0]?.isHead === true)) return heads
  return headRows(rows.map(({ cells }) => cells.map((cell) => ({ text: cell?.text ?? "", style: styleOf(cell) }))))
}

const styleOf = (cell: Cell | undefined): string =>
  cell?.isHead === true ? "head" : cell !== undefined && isBold(cell) ? "bold" : "plain"

const isBold = ({ element }: Cell): boolean =>
  element.children.some((child) => child._tag === "Element" && (child.name === "b" || child.name === "strong"))

/** Which rows are totals or heads of groups: those that the page marks, and those that look like it. */
const kindsOf = (body: ReadonlyArray<Row>): ReadonlyArray<RowKind> => {
  const found = rowKinds(
    body.map(({ cells }) =>
      cells.map((cell, i) => {
        const isFirst = i === 0 || cell !== cells[i - 1]
        const across = cells.findIndex((other, j) => j > i && other !== cell)
        return {
          text: isFirst ? (cell?.text ?? "") : "",
          style: styleOf(cell),
          across: (across === -1 ? cells.length : across) - i
        }
      })
    )
  )
  return body.map(({ cells: [first, ...others], isFoot }, at): RowKind => {
    const scope = first?.element.attributes.get("scope")
    if (scope === "rowgroup" || (others.length > 0 && others.every((cell) => cell === first))) return "group"
    return isFoot ? "total" : (found[at] ?? "data")
  })
}

/** The numbers in brackets of columns that have numbers without them: accounts write so what is less than nothing. */
const lessThanNothing = (body: ReadonlyArray<Row>, width: number): ReadonlySet<Element> => {
  const found = new Set<Element>()
  for (let i = 0; i < width; i++) {
    const cells = body.flatMap(({ cells }) => cells[i] ?? []).filter(({ text }) => text !== "")
    const numbers = cells.filter(({ text }) => plainNumber.test(text))
    const less = cells.filter(({ text }) => inBrackets.test(text))
    if (numbers.length === 0 || (numbers.length + less.length) * 2 < cells.length) continue
    for (const { element } of less) found.add(element)
  }
  return found
}

const plainNumber = /^[\p{Sc}+\-−–\s]{0,4}\d[\d.,'’\s]*(?:\p{Sc}|%)?$/u
const inBrackets = /^\p{Sc}?\s?\(\s?\p{Sc}?\s?\d[\d.,'’\s]*(?:%\s?)?\)\s?%?\p{Sc}?$/u

/** The names of the columns: the texts of the head rows above one another. */
const namesOf = ({ rows, width }: Grid, heads: number): ReadonlyArray<string> =>
  Array.from({ length: width }, (_, i) => {
    const parts = rows.slice(0, heads).map(({ cells }) => label(cells[i]))
    const name = [...new Set(parts)].filter((part) => part !== "").join(" ")
    return name !== "" ? name : i === 0 ? "name" : `column ${i + 1}`
  })

/** Labels and values: heads followed by cells in every row, or two columns whose first is short and differs. */
const isLabelled = ({ width }: Grid, body: ReadonlyArray<Row>): boolean => {
  if (body.filter(hasName).length >= body.length * 0.7)
    return width === 2 || body.some(({ cells }) => cells.slice(1).some((cell) => cell?.isHead === true))
  if (width !== 2) return false
  const labels = body.map(({ cells }) => cells[0]?.text ?? "")
  const isShort = labels.every((text) => text.length <= 60)
  return (
    isShort &&
    new Set(labels).size >= labels.length * 0.8 &&
    labels.filter((text) => /^\p{L}/u.test(text)).length >= labels.length * 0.7
  )
}
