/** SQL: an editor beside the tables and columns, questions to begin with and those that were saved, and the answer below. */
import type { SavedQuestions } from "../ExploreApi.ts"
import { AnswerError } from "./AnswerError.ts"
import type { Answers } from "./Answers.ts"
import type { ChartChoice } from "./chartChoice.ts"
import { chartKinds } from "./chartChoice.ts"
import { type ChartTools, chartTools } from "./chartTools.ts"
import { counted, el, problem, status } from "./dom.ts"
import { type Grid, makeGrid } from "./Grid.ts"
import { nextTask } from "./nextTask.ts"
import { questionTools } from "./questionTools.ts"
import { hashOf, type Route, remember, type View } from "./route.ts"
import { rowsOf } from "./rows.ts"
import type { SqlEditor } from "./sqlEditor.ts"
import { sqlTables } from "./sqlTables.ts"
import { sqlWords } from "./sqlWords.ts"

export const sqlView = async ({ params }: Route, answers: Answers): Promise<View> => {
  const [{ dialect, questions, tables }, { first }, saved, { makeSqlEditor }] = await Promise.all([
    answers.tables(),
    answers.firstQuestion(),
    answers.questions().catch(unreadable),
    import("./sqlEditor.ts")
  ])
  await nextTask()
  const ready = first === null ? questions : [first, ...questions]
  const leaving = new AbortController()
  const editor = makeSqlEditor({
    text: params.get("q") ?? ready[0]?.sql ?? "SHOW TABLES",
    tables,
    run: () => void asker.ask(),
    changed: () => tools.changed()
  })
  const asker = askerOf(editor, answers, chartIn(params))
  const tools = questionTools({ answers, ready, saved, editor, ask: () => void asker.ask() })
  await nextTask()
  // The first question goes before the words: both are asked of one database, one after the other.
  void asker
    .ask()
    .then(() => sqlWords(answers, dialect, leaving.signal))
    .then(
      async (words) => {
        await nextTask()
        if (words !== undefined && !leaving.signal.aborted) editor.learn(words)
      },
      // Without them the editor completes the names of tables and columns, and the words of Postgres.
      () => undefined
    )
  const names = sqlTables(tables, (name) => editor.insert(name))
  const hint = el("span", { class: "soft" }, `SQL of ${dialect}; Ctrl+Enter runs it`)
  return {
    elements: [
      el("h2", {}, "SQL"),
      el(
        "div",
        { class: "asking" },
        names,
        el("div", {}, tools.element, editor.element, asker.trouble, asker.tools(hint))
      ),
      asker.answer
    ],
    close: () => {
      leaving.abort()
      asker.close()
      editor.close()
    }
  }
}

/** Without the questions that were saved the view is of use as well. */
const unreadable = (error: unknown): SavedQuestions => ({
  folder: "questions",
  questions: [],
  refusal: error instanceof Error ? error.message : String(error)
})

/** The chart that a URL has. */
const chartIn = (params: URLSearchParams): Partial<ChartChoice> => {
  const kind = chartKinds.find((one) => one === params.get("chart"))
  return kind === undefined
    ? {}
    : { kind, value: params.get("of") ?? "", by: params.get("by") ?? "", color: params.get("color") ?? "" }
}

/** Asks what the editor has, and shows the answer; a question that is asked meanwhile takes its place. */
const askerOf = (editor: SqlEditor, answers: Answers, begin: Partial<ChartChoice>) => {
  const run = el("button", { type: "button", class: "first" }, "Run")
  const stop = el("button", { type: "button", disabled: true }, "Stop")
  const line = status()
  const answer = el("div", { class: "content answer" })
  /** What is wrong stands below the editor, which marks the place. */
  const trouble = el("div")
  let chosen = begin
  let asked: string | undefined
  let shown: { readonly grid: Grid; readonly chart: ChartTools } | undefined
  let asking: AbortController | undefined

  const keep = (): void => {
    const { by = "", color = "", kind = "", value = "" } = chosen
    remember(hashOf("sql", "", { q: asked ?? "", chart: kind, of: value, by, color }))
  }
  const closeShown = (): void => {
    shown?.grid.close()
    shown?.chart.close()
    shown = undefined
  }
  const ask = async (): Promise<void> => {
    asking?.abort()
    const own = new AbortController()
    asking = own
    stop.disabled = false
    line.textContent = "Running…"
    const sql = editor.text()
    editor.mark("", undefined)
    trouble.replaceChildren()
    if (asked !== undefined && sql !== asked) chosen = {}
    asked = sql
    keep()
    const began = performance.now()
    try {
      const found = await answers.sql(sql, own.signal)
      await nextTask()
      if (own !== asking) return
      closeShown()
      const grid = makeGrid({ label: "The answer", columns: found.columns, rows: rowsOf(found.rows) })
      const chart = chartTools(found, chosen, (next) => {
        chosen = next
        keep()
      })
      shown = { grid, chart }
      answer.replaceChildren(chart.element, el("div", { class: "place" }, grid.element))
      const seconds = ((performance.now() - began) / 1000).toFixed(2)
      line.textContent = `${counted(found.rows.length)} in ${seconds} s. ${found.cut ?? ""}`
    } catch (error) {
      if (own !== asking) return
      closeShown()
      answer.replaceChildren()
      trouble.replaceChildren(...(own.signal.aborted ? [] : [problem(error)]))
      line.textContent = own.signal.aborted ? "Stopped." : ""
      if (error instanceof AnswerError) editor.mark(error.message, error.place)
    } finally {
      if (own === asking) stop.disabled = true
    }
  }
  run.addEventListener("click", () => void ask())
  stop.addEventListener("click", () => asking?.abort())
  return {
    ask,
    answer,
    trouble,
    tools: (hint: HTMLElement) => el("div", { class: "tools" }, run, stop, line, hint),
    close: () => {
      closeShown()
      asking?.abort()
    }
  }
}
