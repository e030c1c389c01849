/** SQL: a question with completion, its answer as a grid and as a chart, and questions to begin with. */
import type { Answers } from "./Answers.ts"
import { plotTools } from "./chartTools.ts"
import { completer } from "./completer.ts"
import { choice, counted, el, problem, status } from "./dom.ts"
import { type Grid, makeGrid } from "./Grid.ts"
import { hashOf, type Route, remember, type View } from "./route.ts"
import { rowsOf } from "./rows.ts"

export const sqlView = async ({ params }: Route, answers: Answers): Promise<View> => {
  const { dialect, questions, tables } = await answers.tables()
  const names = new Set(tables.flatMap(({ columns, name }) => [name, ...columns.map((column) => column.name)]))
  const query = params.get("q") ?? ""
  const text = el("textarea", { id: "sql", spellcheck: "false", autocapitalize: "off", autocomplete: "off" })
  text.value = query === "" ? (questions[0]?.sql ?? "SHOW TABLES") : query
  const words = completer(text, [...names])
  const ready = choice(
    "Questions",
    [["", "choose one"], ...questions.map(({ title }, at): readonly [string, string] => [String(at), title])],
    ""
  )
  const run = el("button", { type: "button" }, "Run")
  const stop = el("button", { type: "button", disabled: true }, "Stop")
  const line = status()
  const answer = el("div", { class: "content answer" })
  let grid: Grid | undefined
  let asking: AbortController | undefined

  const ask = async (): Promise<void> => {
    asking?.abort()
    const own = new AbortController()
    asking = own
    stop.disabled = false
    line.textContent = "Running…"
    remember(hashOf("sql", "", { q: text.value }))
    const began = performance.now()
    try {
      const found = await answers.sql(text.value, own.signal)
      if (own !== asking) return
      grid?.close()
      grid = makeGrid({ label: "The answer", columns: found.columns, rows: rowsOf(found.rows) })
      const chart = questions.find(({ sql }) => sql === text.value)?.chart
      answer.replaceChildren(plotTools(found, chart), el("div", { class: "place" }, grid.element))
      const seconds = ((performance.now() - began) / 1000).toFixed(2)
      line.textContent = `${counted(found.rows.length)} in ${seconds} s. ${found.cut ?? ""}`
    } catch (error) {
      if (own !== asking) return
      answer.replaceChildren(...(own.signal.aborted ? [] : [problem(error)]))
      line.textContent = own.signal.aborted ? "Stopped." : ""
    } finally {
      if (own === asking) stop.disabled = true
    }
  }
  run.addEventListener("click", () => void ask())
  stop.addEventListener("click", () => asking?.abort())
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void ask()
  })
  ready.select.addEventListener("change", () => {
    const question = questions[Number(ready.select.value)]
    if (ready.select.value === "" || question === undefined) return
    text.value = question.sql
    words.close()
    void ask()
  })
  if (query !== "") void ask()
  return {
    elements: [
      el("h2", {}, "SQL"),
      el("div", { class: "tools" }, ready.label),
      el("label", { for: "sql" }, `A query in the SQL of ${dialect}; Ctrl+Enter runs it, Tab completes a word`),
      text,
      words.list,
      el("div", { class: "tools" }, run, stop, line),
      answer
    ],
    close: () => {
      grid?.close()
      asking?.abort()
    }
  }
}
