/** What changed in a table between two runs, row by row and word by word. */
import type { DiffAnswer, DiffChange, RunsAnswer, TablesAnswer } from "../ExploreApi.ts"
import { get } from "./ask.ts"
import { choice, count, el, linked, problem, status } from "./dom.ts"
import { hashOf, type Route, remember, type View } from "./route.ts"
import { moment } from "./runsView.ts"

export const diffView = async ({ params }: Route): Promise<View> => {
  const [{ tables }, { runs }] = await Promise.all([get<TablesAnswer>("/api/tables"), get<RunsAnswer>("/api/runs")])
  const heading = el("h2", {}, "Differences")
  const loads = runs.filter(({ sinks }) => sinks.length > 0)
  if (loads.length < 2) {
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
  const said = status()
  const place = el("div")
  let turn = 0
  const compare = async (): Promise<void> => {
    turn += 1
    const mine = turn
    const asked = { table: table.select.value, from: from.select.value, to: to.select.value }
    remember(hashOf("diff", "", asked))
    said.textContent = "Comparing…"
    place.replaceChildren()
    try {
      const found = await get<DiffAnswer>("/api/diff", asked)
      if (mine !== turn) return
      said.textContent = countsOf(found)
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
      said.textContent = ""
      place.append(problem(error))
    }
  }
  for (const { select } of [table, from, to]) select.addEventListener("change", () => void compare())
  void compare()
  return { elements: [heading, el("div", { class: "tools" }, table.label, from.label, to.label), said, place] }
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
