/** What changed in a table between two runs, row by row and word by word. */
import type { DiffAnswer, DiffChange } from "../ExploreApi.ts"
import type { Answers } from "./Answers.ts"
import { choice, count, el, linked, problem, status } from "./dom.ts"
import { hashOf, type Route, remember, type View } from "./route.ts"
import { moment } from "./runsView.ts"

export const diffView = async ({ params }: Route, answers: Answers): Promise<View> => {
  const [{ tables }, { pairs, runs }] = await Promise.all([answers.tables(), answers.runs()])
  const before = pairs && new Map(pairs.map((pair) => [pair.to, pair.from]))
  const heading = el("h2", {}, "Differences")
  const loads = runs.filter(({ run_id: id, sinks }) => sinks.length > 0 && (before === undefined || before.has(id)))
  if (loads.length < (before === undefined ? 2 : 1)) {
    return {
      elements: [
        heading,
        el("p", {}, "Two runs that have loaded something can be compared; there is only one, or none.")
      ]
    }
  }
  const named = loads.map((run): readonly [string, string] => [run.run_id, `${moment(run.started_at)} ${run.run_id}`])
  const to = choice("to", named, params.get("to") ?? loads[0]?.run_id)
  const later = loads.findIndex((run) => run.run_id === to.select.value)
  const from = choice("from", named, params.get("from") ?? (loads[later + 1] ?? loads[0])?.run_id)
  const own = tables.filter(({ isOwn, key }) => isOwn && key.length > 0)
  const table = choice(
    "Table",
    own.map(({ name }) => [name, name]),
    params.get("table") ?? undefined
  )
  const line = status()
  const place = el("div")
  let turn = 0
  const compare = async (): Promise<void> => {
    turn += 1
    const mine = turn
    const isTo = to.select.value
    const question = { table: table.select.value, from: before?.get(isTo) ?? from.select.value, to: isTo }
    remember(hashOf("diff", "", question))
    line.textContent = "Comparing…"
    place.replaceChildren()
    try {
      const found = await answers.diff(question)
      if (mine !== turn) return
      line.textContent = countsOf(found)
      const all = Object.values(found.counts).reduce((sum, n) => sum + n, 0)
      const left = all - found.changes.length
      place.append(
        el(
          "p",
          { class: "soft" },
          `${found.whole ? "By" : "Not the whole difference: by"} ${found.basis} (sink ${found.sink}).`
        ),
        ...found.changes.map(changeOf),
        ...(left > 0 ? [el("p", {}, `${count(left)} more are not shown: millrace diff shows all.`)] : [])
      )
    } catch (error) {
      if (mine !== turn) return
      line.textContent = ""
      place.append(problem(error))
    }
  }
  for (const { select } of [table, from, to]) select.addEventListener("change", () => void compare())
  void compare()
  return {
    elements: [
      heading,
      el("div", { class: "tools" }, table.label, ...(before === undefined ? [from.label] : []), to.label),
      line,
      place
    ]
  }
}

const countsOf = ({ counts, whole }: DiffAnswer): string =>
  (whole ? ["added", "removed", "changed"] : ["written"])
    .map((kind) => `${count(counts[kind] ?? 0)} ${kind}`)
    .join(", ")

const changeOf = ({ fields, key, kind }: DiffChange): HTMLElement => {
  const names = key.flatMap(([column, value]) => [key.length > 1 ? `${column} ` : "", linked(value), " "])
  return el(
    "article",
    { class: `change ${kind}` },
    el("h3", {}, `${kind}: `, ...names),
    el("dl", {}, ...fields.flatMap(({ name, pieces }) => [el("dt", {}, name), el("dd", {}, ...pieces.map(pieceOf))]))
  )
}

const pieceOf = ({ kind, text }: DiffChange["fields"][number]["pieces"][number]): Node => {
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
