/** SQL: an editor beside the tables and columns, questions to begin with and those that were saved, and the answer below. */
import { sqlName } from "../../sql/sqlName.ts"
import type { Question, SavedQuestions, TableInfo } from "../ExploreApi.ts"
import { AnswerError, type Answers } from "./Answers.ts"
import { type ChartChoice, type ChartTools, chartKinds, chartTools } from "./chartTools.ts"
import { count, counted, el, problem, status } from "./dom.ts"
import { type Grid, makeGrid } from "./Grid.ts"
import { hashOf, type Route, remember, type View } from "./route.ts"
import { rowsOf } from "./rows.ts"
import type { SqlEditor } from "./sqlEditor.ts"
import { sqlWords } from "./sqlWords.ts"
import { nextTask } from "./times.ts"

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
  let lastQuery: string | undefined
  let shown: { readonly grid: Grid; readonly chart: ChartTools } | undefined
  let asking: AbortController | undefined

  const keep = (): void => {
    const { by = "", color = "", kind = "", value = "" } = chosen
    remember(hashOf("sql", "", { q: lastQuery ?? "", chart: kind, of: value, by, color }))
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
    if (lastQuery !== undefined && sql !== lastQuery) chosen = {}
    lastQuery = sql
    keep()
    const began = performance.now()
    try {
      const found = await answers.sql(sql, own.signal)
      await nextTask()
      if (own !== asking) return
      closeShown()
      const grid = makeGrid({ label: "The answer", columns: found.columns, rows: rowsOf(found.rows) })
      await nextTask()
      if (own !== asking) return grid.close()
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

interface QuestionTools {
  readonly element: HTMLElement
  /** Says that the text of the editor is another one now. */
  readonly changed: () => void
}

interface QuestionOptions {
  readonly answers: Answers
  readonly ready: ReadonlyArray<Question>
  readonly saved: SavedQuestions
  readonly editor: SqlEditor
  readonly ask: () => void
}

/** The questions that one can open in the editor: those that are ready, and those that were saved; and saving one. */
const questionTools = ({ answers, ask, editor, ready, saved }: QuestionOptions): QuestionTools => {
  let known = saved
  /** The saved question that the editor has. */
  let opened = saved.questions.find(({ sql }) => sql === editor.text())?.name
  const select = el("select")
  const save = el("button", { type: "button", disabled: saved.refusal !== undefined }, "Save…")
  const remove = el("button", { type: "button" }, "Delete…")
  const note = el("span", { class: "soft", "aria-live": "polite" }, saved.refusal ?? "")
  const choices = (): ReadonlyArray<Question> => [
    ...known.questions.map(({ name, sql }) => ({ title: name, sql })),
    ...ready
  ]
  const fill = (): void => {
    const options = choices().map(({ sql, title }, at) =>
      el("option", { value: String(at), selected: title === opened || sql === editor.text() }, title)
    )
    const mine = options.slice(0, known.questions.length)
    const own = options.slice(known.questions.length)
    select.replaceChildren(
      el("option", { value: "" }, "choose one"),
      ...(mine.length === 0 ? [] : [el("optgroup", { label: `Saved in ${known.folder}` }, ...mine)]),
      el("optgroup", { label: "Ready" }, ...own)
    )
    remove.hidden = opened === undefined || known.refusal !== undefined
  }
  const update = (next: SavedQuestions, name: string | undefined): void => {
    known = next
    opened = name
    fill()
  }
  select.addEventListener("change", () => {
    const chosen = select.value === "" ? undefined : choices()[Number(select.value)]
    if (chosen === undefined) return
    opened = Number(select.value) < known.questions.length ? chosen.title : undefined
    editor.setText(chosen.sql)
    remove.hidden = opened === undefined || known.refusal !== undefined
    ask()
  })
  save.addEventListener("click", () => {
    saveDialog(opened ?? "", known, async (name) => {
      update(await answers.saveQuestion({ name, sql: editor.text() }), name)
      note.textContent = `Saved as ${known.folder}/${name}.sql`
    })
  })
  remove.addEventListener("click", () => {
    const name = opened
    if (name === undefined) return
    deleteDialog(name, known.folder, async () => {
      update(await answers.deleteQuestion(name), undefined)
      note.textContent = `${name} is deleted; the editor still has its text`
      select.focus()
    })
  })
  fill()
  const label = el("label", {}, "Questions", select)
  return {
    element: el("div", { class: "tools" }, label, save, remove, note),
    changed: () => {
      note.textContent = known.refusal ?? ""
      const same = choices().findIndex(({ sql }) => sql === editor.text())
      select.value = same === -1 ? "" : String(same)
    }
  }
}

const saveDialog = (
  begin: string,
  { folder, questions }: SavedQuestions,
  save: (name: string) => Promise<void>
): void => {
  const name = el("input", { value: begin, maxlength: 80, required: true, size: 40 })
  const says = el("p", { class: "soft" })
  const look = (): void => {
    const isThere = questions.some((question) => question.name === name.value.trim())
    says.textContent = isThere
      ? `This replaces ${folder}/${name.value.trim()}.sql`
      : `A file of SQL beside the pipeline: ${folder}/${name.value.trim() === "" ? "NAME" : name.value.trim()}.sql`
  }
  name.addEventListener("input", look)
  look()
  showDialog("Save this question", [el("label", {}, "Name", name), says], "Save", () => save(name.value.trim()))
  name.select()
}

const deleteDialog = (name: string, folder: string, remove: () => Promise<void>): void =>
  showDialog(`Delete ${name}?`, [el("p", {}, `The file ${folder}/${name}.sql is removed.`)], "Delete", remove)

/** Asks; Escape and "Cancel" change nothing. What goes wrong is said in the dialog, which then stays. */
const showDialog = (
  title: string,
  content: ReadonlyArray<HTMLElement>,
  action: string,
  act: () => Promise<void>
): void => {
  const cancel = el("button", { type: "button" }, "Cancel")
  const place = el("div")
  const form = el(
    "form",
    {},
    el("h2", { id: "dialog-title" }, title),
    ...content,
    place,
    el("div", { class: "tools" }, el("button", { class: "first" }, action), cancel)
  )
  const dialog = el("dialog", { "aria-labelledby": "dialog-title" }, form)
  cancel.addEventListener("click", () => dialog.close())
  dialog.addEventListener("close", () => dialog.remove())
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    act().then(
      () => dialog.close(),
      (error: unknown) => place.replaceChildren(problem(error))
    )
  })
  document.body.append(dialog)
  dialog.showModal()
}

/**
 * The tables beside the editor of SQL, each with its columns; a click on a name puts it into the query.
 *
 * `insert` gets a name as SQL has it.
 */
const sqlTables = (tables: ReadonlyArray<TableInfo>, insert: (name: string) => void): HTMLElement => {
  const own = tables.filter(({ isOwn }) => isOwn)
  const others = tables.filter(({ isOwn }) => !isOwn)
  const item = (table: TableInfo, at: number): HTMLElement => itemOf(table, `columns-${table.name}`, at === 0, insert)
  const list = el("ul", { class: "list" }, ...own.map(item))
  const rest =
    others.length === 0
      ? []
      : [
          el(
            "details",
            {},
            el("summary", {}, `${count(others.length)} other tables`),
            el("ul", { class: "list" }, ...others.map((table) => item(table, 1)))
          )
        ]
  const fold = el("details", { class: "names" }, el("summary", {}, "Tables and columns"), list, ...rest)
  // On a narrow screen the query comes first, and its names are there on request.
  fold.open = matchMedia("(min-width: 50rem)").matches
  return el("nav", { class: "names-of", "aria-label": "Tables and columns" }, fold)
}

const itemOf = (table: TableInfo, id: string, isOpen: boolean, insert: (name: string) => void): HTMLElement => {
  const columns = el("ul", { class: "list", id, hidden: !isOpen })
  for (const { description, name, type } of table.columns) {
    columns.append(
      el("li", {}, nameButton(name, description, insert), " ", el("small", { title: type }, shortType(type)))
    )
  }
  const fold = el(
    "button",
    {
      type: "button",
      class: "fold",
      "aria-expanded": String(isOpen),
      "aria-controls": id,
      "aria-label": `Columns of ${table.name}`
    },
    "▸"
  )
  fold.addEventListener("click", () => {
    columns.hidden = !columns.hidden
    fold.setAttribute("aria-expanded", String(!columns.hidden))
  })
  return el(
    "li",
    {},
    fold,
    nameButton(table.name, table.description, insert),
    " ",
    el("small", {}, count(table.rows)),
    columns
  )
}

const nameButton = (name: string, description: string | undefined, insert: (name: string) => void): HTMLElement => {
  const title = description === undefined || description === "" ? undefined : description
  const button = el("button", { type: "button", class: "name", title }, name)
  button.addEventListener("click", () => insert(sqlName(name, undefined)))
  return button
}

/** A struct may say all of its fields. */
const shortType = (type: string): string => (type.length > 24 ? `${type.slice(0, 23)}…` : type)
