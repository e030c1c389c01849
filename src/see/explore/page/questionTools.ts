/** The questions that one can open in the editor: those that are ready, and those that were saved; and saving one. */
import type { Question, SavedQuestions } from "../ExploreApi.ts"
import type { Answers } from "./Answers.ts"
import { el, problem } from "./dom.ts"
import type { SqlEditor } from "./sqlEditor.ts"

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

export const questionTools = ({ answers, ask, editor, ready, saved }: QuestionOptions): QuestionTools => {
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
