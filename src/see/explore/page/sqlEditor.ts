/**
 * The editor of SQL: CodeMirror with highlighting, completion of what the database knows, and errors where they are.
 *
 * It stands in a shadow tree: there CodeMirror's styles are style sheets that a script makes, which the policy of the page
 * allows; in the page they would be elements, which it refuses. Colours are the page's own, which go into the tree.
 */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
  pickedCompletion,
  startCompletion
} from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { keywordCompletionSource, PostgreSQL, SQLDialect, schemaCompletionSource } from "@codemirror/lang-sql"
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { setDiagnostics } from "@codemirror/lint"
import { Compartment, EditorState, type Extension } from "@codemirror/state"
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { sqlName } from "../../sql/sqlName.ts"
import type { TableInfo, TextPlace } from "../ExploreApi.ts"
import type { SqlWords } from "./sqlWords.ts"

export interface SqlEditor {
  readonly element: HTMLElement
  readonly text: () => string
  readonly setText: (text: string) => void
  /** Puts a text in the place of what is selected. */
  readonly insert: (text: string) => void
  /** Marks what is wrong, until the text changes. Without a place it marks nothing. */
  readonly mark: (message: string, place: TextPlace | undefined) => void
  /** The words of the database, once they are there. */
  readonly learn: (words: SqlWords) => void
  readonly focus: () => void
  readonly close: () => void
}

interface EditorOptions {
  readonly text: string
  readonly tables: ReadonlyArray<TableInfo>
  readonly run: () => void
  readonly changed: () => void
}

export const makeSqlEditor = ({ changed, run, tables, text }: EditorOptions): SqlEditor => {
  const element = document.createElement("div")
  element.className = "editor"
  const root = element.attachShadow({ mode: "open" })
  const language = new Compartment()
  const running = (view: EditorView) => {
    closeCompletion(view)
    run()
    return true
  }
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        // As many as are seen at once: a list that scrolls cannot be reached by keys alone.
        autocompletion({ icons: false, maxRenderedOptions: 12 }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "SQL", autocapitalize: "off", spellcheck: "false" }),
        EditorView.domEventHandlers({ beforeinput: typedOver }),
        syntaxHighlighting(colours),
        theme,
        keymap.of([
          { key: "Mod-Enter", run: running, preventDefault: true },
          { key: "Ctrl-Enter", run: running, preventDefault: true },
          // Without a completion Tab leaves the editor, as everywhere on the page. One that has just come is not taken yet.
          { key: "Tab", run: (editor) => acceptCompletion(editor) || completionStatus(editor.state) === "active" },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap
        ]),
        language.of(languageOf(tables, undefined)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed()
        })
      ]
    })
  })
  return {
    element,
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    insert: (inserted) => {
      view.dispatch(view.state.replaceSelection(inserted))
      view.focus()
    },
    mark: (message, place) => {
      const to = Math.min(place?.to ?? 0, view.state.doc.length)
      const from = Math.min(place?.from ?? 0, to)
      const found = place === undefined ? [] : [{ from, to, message, severity: "error" as const }]
      view.dispatch(setDiagnostics(view.state, found))
      if (place !== undefined) view.dispatch({ effects: EditorView.scrollIntoView(from) })
    },
    learn: (words) => {
      const isCompleting = completionStatus(view.state) !== null
      view.dispatch({ effects: language.reconfigure(languageOf(tables, words)) })
      if (isCompleting) startCompletion(view)
    },
    focus: () => view.focus(),
    close: () => view.destroy()
  }
}

/**
 * Puts what is typed in the place of what is selected. A browser would try to keep the style of the old text in an attribute,
 * which the policy of the page refuses.
 */
const typedOver = (event: InputEvent, view: EditorView): boolean => {
  const { from, to } = view.state.selection.main
  const text = event.data
  if (event.inputType !== "insertText" || text === null || from === to) return false
  event.preventDefault()
  const typed = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true })
  // Such as those that put brackets around a selection.
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, typed))
  if (!isHandled) view.dispatch(typed())
  return true
}

/** Before the database has said its words, and where it does not, they are those of Postgres, which DuckDB has as well. */
const languageOf = (tables: ReadonlyArray<TableInfo>, words: SqlWords | undefined): Extension => {
  const columns = new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name)))
  /** A word that is the name of a column here is that, where SQL lets it be. */
  const isWord = (word: string): boolean => !columns.has(word) || reserved?.has(word) === true
  const reserved = words?.reserved
  const dialect =
    words === undefined
      ? PostgreSQL
      : SQLDialect.define({
          keywords: words.keywords.filter(isWord).join(" "),
          types: words.types.filter(isWord).join(" "),
          builtin: words.functions
            .map(({ name }) => name)
            .filter(isWord)
            .join(" "),
          doubleDollarQuotedStrings: true,
          caseInsensitiveIdentifiers: true
        })
  const schema = Object.fromEntries(
    tables.map(({ columns, name }) => [name, columns.map((column) => ({ label: column.name, detail: column.type }))])
  )
  const data = (autocomplete: CompletionSource): Extension => dialect.language.data.of({ autocomplete })
  return [
    dialect.extension,
    data(schemaCompletionSource({ dialect, schema })),
    data(words === undefined ? keywordCompletionSource(dialect, true) : completed(() => keywordsOf(words))),
    data(completed(({ doc }) => columnsFor(doc.toString(), tables, reserved))),
    data(completed(() => (words?.functions ?? []).map(functionOf)))
  ]
}

/** Completes a word that no dot stands before. */
const completed =
  (options: (state: EditorState) => ReadonlyArray<Completion>) =>
  (context: CompletionContext): CompletionResult | null => {
    // A number is no beginning of a name.
    const word = context.matchBefore(/(?<![\w$])[\p{L}_$][\p{L}\p{M}\p{N}_$]*/u)
    const before = context.state.sliceDoc((word?.from ?? context.pos) - 1, word?.from ?? context.pos)
    if (before === "." || (word === null && (!context.explicit || /[\w$]/.test(before)))) return null
    return { from: word?.from ?? context.pos, options: options(context.state), validFor: /^[\p{L}\p{M}\p{N}_$]*$/u }
  }

/** The columns of the tables that a query names; before it names one, those of all tables. */
const columnsFor = (
  text: string,
  tables: ReadonlyArray<TableInfo>,
  reserved: ReadonlySet<string> | undefined
): ReadonlyArray<Completion> => {
  const words = new Set(text.match(/[\w$]+/g))
  const used = tables.filter(({ name }) => words.has(name))
  const options = new Map<string, Completion>()
  for (const { columns, name: table } of used.length > 0 ? used : tables) {
    for (const { name, type } of columns) {
      const apply = sqlName(name, reserved)
      if (!options.has(name))
        options.set(name, { label: name, apply, type: "property", detail: `${type} of ${table}`, boost: 2 })
    }
  }
  return [...options.values()]
}

const keywordsOf = ({ keywords, types }: SqlWords): ReadonlyArray<Completion> =>
  [...new Set([...keywords, ...types])].map((word) => ({ label: word.toUpperCase(), type: "keyword", boost: -2 }))

/** With brackets, and the cursor between them. */
const functionOf = ({ description, name, parameters }: SqlWords["functions"][number]): Completion => ({
  label: name,
  type: "function",
  detail: `(${parameters})`,
  ...(description === "" ? {} : { info: description }),
  boost: -1,
  apply: (view, completion, from, to) => {
    const hasBracket = view.state.sliceDoc(to, to + 1) === "("
    view.dispatch({
      changes: { from, to, insert: hasBracket ? name : `${name}()` },
      selection: { anchor: from + name.length + 1 },
      annotations: pickedCompletion.of(completion)
    })
  }
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--link)", fontWeight: "600" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: tags.typeName, color: "var(--warn)" },
  { tag: tags.special(tags.string), color: "var(--ink)" },
  { tag: tags.standard(tags.name), color: "var(--ink)", fontStyle: "italic" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--soft)", fontStyle: "italic" }
])

const theme = EditorView.theme({
  "&": {
    background: "var(--card)",
    border: "1px solid var(--line)",
    borderRadius: "5px",
    color: "var(--ink)",
    fontSize: "13px"
  },
  "&.cm-focused": { outline: "2px solid var(--link)" },
  ".cm-scroller": {
    fontFamily: "ui-monospace,SFMono-Regular,Menlo,monospace",
    lineHeight: "1.5",
    minHeight: "9rem",
    maxHeight: "45vh"
  },
  ".cm-content": { caretColor: "var(--ink)", padding: ".4rem 0" },
  ".cm-gutters": { background: "var(--card)", border: "none", color: "var(--soft)" },
  ".cm-activeLine": { background: "transparent" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--active)" },
  ".cm-tooltip": {
    background: "var(--paper)",
    border: "1px solid var(--line)",
    borderRadius: "5px",
    color: "var(--ink)",
    maxWidth: "90vw"
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { maxHeight: "none" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--active)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionInfo": { padding: "4px 8px", maxWidth: "22rem" },
  // Beside the list there is no room for it.
  "@media (max-width: 50rem)": { ".cm-completionInfo": { display: "none" } },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px"
  }
})
