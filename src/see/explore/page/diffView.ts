/** What changed in a table between two runs: rows by their names, values beside each other, and texts word by word. */
import { directionOf, moved, movedPercent } from "../../diff/moved.ts"
import { isNumeric } from "../columnTypes.ts"
import type { CellValue, DiffAnswer, DiffChange, DiffField, DiffPiece, RunsAnswer, TableInfo } from "../ExploreApi.ts"
import type { Answers } from "./Answers.ts"
import { choice, count, counted, el, linked, problem, status, tableOf } from "./dom.ts"
import { hashOf, type Route, remember, type View } from "./route.ts"
import { timeText, timeZone } from "./times.ts"

export const diffView = async ({ params }: Route, answers: Answers): Promise<View> => {
  const [{ tables }, { pairs, runs }] = await Promise.all([answers.tables(), answers.runs()])
  const before = pairs && new Map(pairs.map((pair) => [pair.to, pair.from]))
  const heading = el("h2", {}, "Differences")
  const loads = runs.filter(({ run_id: id, sinks }) => sinks.length > 0 && (before === undefined || before.has(id)))
  const own = tables.filter(({ isOwn, key }) => isOwn && key.length > 0)
  if (loads.length < (before === undefined ? 2 : 1)) {
    return {
      elements: [
        heading,
        el("p", {}, "Two runs that have loaded something can be compared; there is only one, or none.")
      ]
    }
  }
  const { from, table, tools, to } = choicesOf(params, loads, own, before !== undefined)
  let by = params.get("by") ?? ""
  const line = status()
  const movers = el("div", { class: "tools" })
  const place = el("div")
  let turn = 0
  const compare = async (): Promise<void> => {
    turn += 1
    const mine = turn
    const isTo = to.select.value
    const question = { table: table.select.value, from: before?.get(isTo) ?? from.select.value, to: isTo, by }
    remember(hashOf("diff", "", question))
    line.textContent = "Comparing…"
    try {
      const found = await answers.diff(question)
      if (mine !== turn) return
      line.textContent = countsOf(found)
      const info = own.find(({ name }) => name === question.table)
      movers.replaceChildren(
        ...moversOf(found, info, by, (next) => {
          by = next
          void compare()
        })
      )
      place.replaceChildren(...elementsOf(found, by))
    } catch (error) {
      if (mine !== turn) return
      line.textContent = ""
      place.replaceChildren(problem(error))
    }
  }
  for (const { select } of [table, from, to]) {
    select.addEventListener("change", () => {
      if (select === table.select) by = ""
      void compare()
    })
  }
  void compare()
  return { elements: [heading, tools, movers, line, place] }
}

const choicesOf = (
  params: URLSearchParams,
  loads: RunsAnswer["runs"],
  own: ReadonlyArray<TableInfo>,
  isPaired: boolean
) => {
  const named = loads.map((run): readonly [string, string] => [run.run_id, timeText(run.started_at)])
  const to = choice("to", named, params.get("to") ?? loads[0]?.run_id)
  const later = loads.findIndex((run) => run.run_id === to.select.value)
  const from = choice("from", named, params.get("from") ?? (loads[later + 1] ?? loads[0])?.run_id)
  const names = own.map(({ name }): readonly [string, string] => [name, name])
  const table = choice("Table", names, params.get("table") ?? undefined)
  const zone = el("span", { class: "soft" }, `runs by their start, in ${timeZone()}`)
  return {
    from,
    table,
    to,
    tools: el("div", { class: "tools" }, table.label, ...(isPaired ? [] : [from.label]), to.label, zone)
  }
}

/** The choice of a number and a direction: which rows became smaller in it, or larger. */
const moversOf = (
  { fields }: DiffAnswer,
  table: TableInfo | undefined,
  by: string,
  choose: (by: string) => void
): ReadonlyArray<HTMLElement> => {
  const numbers = (table?.columns ?? []).filter((column) => isNumeric(column) && (fields[column.name] ?? 0) > 0)
  const names = new Set([...numbers.map(({ name }) => name), ...(by === "" ? [] : [directionOf(by).column])])
  if (names.size === 0) return []
  const options = [...names].flatMap(
    (name): ReadonlyArray<readonly [string, string]> => [
      [`-${name}`, `where ${name} became smaller`],
      [name, `where ${name} became larger`]
    ]
  )
  const shown = choice("Show", [["", "all changes"], ...options], by)
  shown.select.addEventListener("change", () => choose(shown.select.value))
  return [shown.label]
}

const countsOf = ({ counts, fields, whole }: DiffAnswer): string => {
  const kinds = (whole ? ["added", "removed", "changed"] : ["written"]).map(
    (kind) => `${count(counts[kind] ?? 0)} ${kind}`
  )
  const changed = Object.entries(fields)
    .filter(([, rows]) => rows > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, rows]) => `${name} in ${counted(rows)}`)
  return `${kinds.join(", ")}${changed.length === 0 || !whole ? "" : `; ${changed.join(", ")}`}`
}

const elementsOf = (found: DiffAnswer, by: string): ReadonlyArray<HTMLElement> => {
  const { changes, counts, moved: inAll } = found
  const all = inAll ?? Object.values(counts).reduce((sum, n) => sum + n, 0)
  const left = all - changes.length
  return [
    el(
      "p",
      { class: "soft" },
      `${found.whole ? "By" : "Not the whole difference: by"} ${found.basis} (sink ${found.sink}).`
    ),
    ...(by === "" ? changes.map(changeOf) : [movedTable(changes, by)]),
    ...(left > 0 ? [el("p", {}, `${count(left)} more are not shown: millrace diff shows all.`)] : [])
  ]
}

/** The rows in which a number moved, the furthest first. */
const movedTable = (changes: ReadonlyArray<DiffChange>, by: string): HTMLElement => {
  const { column, isDown } = directionOf(by)
  const caption = `Where ${column} became ${isDown ? "smaller" : "larger"}: ${counted(changes.length)}, the largest difference first`
  if (changes.length === 0) return el("p", {}, `In no row ${column} became ${isDown ? "smaller" : "larger"}.`)
  const rows = changes.map((change) => {
    const field = change.fields.find(({ name }) => name === column)
    const [old, now] = field !== undefined && "old" in field ? [field.old, field.new] : [null, null]
    return [headOf(change), figure(old), figure(now), ...moveOf(old, now)]
  })
  const table = tableOf(caption, ["row", "before", "after", "difference"], rows)
  table.classList.add("moved")
  return table
}

/** What people call the row, and its key beside it. */
const headOf = ({ key, name }: DiffChange): HTMLElement => {
  const parts = key.flatMap(([column, value]) => [key.length > 1 ? `${column} ` : "", linked(value), " "])
  return name === undefined ? el("span", {}, ...parts) : el("span", {}, `${name} `, el("small", {}, ...parts))
}

const changeOf = (change: DiffChange): HTMLElement =>
  el(
    "article",
    { class: `change ${change.kind}` },
    el("h3", {}, el("span", { class: "status" }, change.kind), " ", headOf(change)),
    el("dl", {}, ...change.fields.flatMap((field) => [el("dt", {}, field.name), valueOf(field)]))
  )

const valueOf = (field: DiffField): HTMLElement => {
  if ("pieces" in field) return el("dd", {}, ...textOf(field.pieces))
  const values = [el("del", {}, figure(field.old)), " → ", el("ins", {}, figure(field.new))]
  return el("dd", {}, ...values, ...moveOf(field.old, field.new))
}

/** By how much a number moved, and in percent; nothing, if it is no number. */
const moveOf = (old: CellValue, now: CellValue): ReadonlyArray<HTMLElement> => {
  const by = moved(old, now)
  if (by === undefined) return []
  const percent = movedPercent(old, by)
  return [el("span", { class: "move" }, `${signed(by)}${percent === undefined ? "" : ` (${signed(percent, 1)}%)`}`)]
}

/** A minus of the length of a plus, as in print. */
const signed = (value: number, digits = 12): string => {
  const text = Math.abs(value).toLocaleString("en-US", { maximumFractionDigits: digits })
  return `${value < 0 ? "−" : "+"}${text}`
}

const figure = (value: CellValue): string => {
  if (value === null) return "nothing"
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: 12 })
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? timeText(value) : String(value)
}

/** A long text that is only in one of the two is folded to its beginning. */
const textOf = (pieces: ReadonlyArray<DiffPiece>): ReadonlyArray<Node> => {
  const [only] = pieces
  if (only === undefined || pieces.length > 1 || only.kind !== "same" || only.text.length <= longestText)
    return pieces.map(pieceOf)
  const begin = only.text.slice(0, longestText).replaceAll(/\s+/g, " ").toWellFormed()
  return [el("details", {}, el("summary", {}, `${begin}…`), only.text)]
}

const longestText = 200

const pieceOf = ({ kind, text }: DiffPiece): Node => {
  switch (kind) {
    case "same":
      return document.createTextNode(text)
    case "gap":
      return document.createTextNode(" … ")
    case "added":
      return el("ins", {}, text)
    case "removed":
      return el("del", {}, text)
  }
}
