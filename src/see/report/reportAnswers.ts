/**
 * The answers to the three questions that people ask of a run: is it good, what changed, and what is missing and why. They are
 * texts, so the page of a report and its lines on the command line say the same.
 */
import { gapsOf } from "../gapsOf.ts"
import * as Sheet from "../Sheet.ts"
import { count, seconds, size } from "../summary.ts"
import type { ReportModel, TableChanges } from "./ReportModel.ts"

export type Tone = "good" | "warn" | "bad"

interface Verdict {
  readonly tone: Tone
  /** The state of the run in a few words. */
  readonly title: string
  /** One or two sentences: what it means for the rows. */
  readonly says: string
  /** The commands that a person needs next; empty: none. */
  readonly commands: ReadonlyArray<string>
}

/** One thing that a person checks to call a run good. */
export interface Sign {
  readonly tone: Tone
  /** What must be true. */
  readonly what: string
  readonly found: string
}

/** Why something is missing, how often, and one that it happened to. */
export interface Missing {
  readonly why: string
  /** The code of an error, for a search in its table; empty: it has none. */
  readonly code: string
  readonly count: number
  readonly example: string
}

/** A figure of this run beside the run before. */
interface Compared {
  readonly name: string
  readonly now: string
  readonly before: string
  readonly difference: string
}

export const verdictOf = (model: ReportModel): Verdict => {
  const { checks, run, whole } = model
  const failed = checks.filter(({ passed }) => !passed).length
  switch (run.status) {
    case "done":
      return doneVerdict(model)
    case "partial": {
      const { filled = 0, missing = 0, partial } = run.facts
      const isUnread = partial === 1 || missing === 0
      const lacks = !isUnread
        ? `${count(missing)} of ${count(filled + missing)} required values were not found`
        : whole === null || whole.missing === 0
          ? "not everything could be read"
          : `${count(whole.missing)} of ${count(whole.expected)} could not be read`
      return {
        tone: "warn",
        title: `Partial: ${lacks}`,
        says: isUnread
          ? `${committed(model)} Stored rows that were not read again stay as they were, and none is removed.`
          : `${committed(model)} Where a value was not found, the row has null.`,
        commands: []
      }
    }
    case "held":
      return {
        tone: "bad",
        title: failed > 1 ? "Held by checks" : "Held by a check",
        says: `${run.sinks.length === 0 ? "Nothing was committed" : "Its last rows were not committed"}: look at it, then commit it or drop it.`,
        commands: [`millrace commit ${run.run_id}`, `millrace drop ${run.run_id}`]
      }
    case "behind":
      return {
        tone: "warn",
        title: "Partly done: not every destination has it",
        says: `${committed(model)} The next run loads from the journal what is missing in the others.`,
        commands: []
      }
    case "failed":
      return {
        tone: "bad",
        title: "Failed",
        says: run.sinks.length === 0 ? "Nothing was committed." : "What it had committed before stays.",
        commands: []
      }
    case "stopped":
      return {
        tone: "warn",
        title: "Stopped before its end",
        says: run.sinks.length === 0 ? "Nothing was committed." : "What it had committed until then stays.",
        commands: []
      }
    case "dropped":
      return { tone: "warn", title: "Dropped", says: "A check held it, and a person dropped it.", commands: [] }
    default:
      return {
        tone: "warn",
        title: "Not finished",
        says: "It is still at work, or was ended from outside.",
        commands: []
      }
  }
}

const doneVerdict = (model: ReportModel): Verdict => {
  const unusual = unusualOf(model).length
  const rejected = sumOf(model.rejects)
  const remarks = [
    ...(rejected === 0 ? [] : [`${counted(rejected, "row")} rejected`]),
    ...(unusual === 0 ? [] : [counted(unusual, "unusual column")])
  ]
  return {
    tone: remarks.length === 0 ? "good" : "warn",
    title: remarks.length === 0 ? "Good" : `Good, with ${remarks.join(" and ")}`,
    says: committed(model),
    commands: rejected === 0 ? [] : ["millrace rejects list"]
  }
}

const committed = ({ checks, run, tables }: ReportModel): string => {
  const [main] = tables
  const rows = main === undefined ? "Its rows" : `${counted(main.rows ?? 0, "row")} of ${main.name}`
  if (run.sinks.length === 0) return `${rows} came, and no destination that could be asked has them.`
  const passed = checks.filter((check) => check.passed).length
  const checked = checks.length === 0 ? "" : ` ${count(passed)} of ${counted(checks.length, "check")} passed.`
  return `${rows} ${main?.rows === 1 ? "is" : "are"} in ${joined(run.sinks)}.${checked}`
}

/** What decides whether a run is good: its checks, whether it is whole, and columns that are not as usual; the bad ones first. */
export const signsOf = (model: ReportModel): ReadonlyArray<Sign> => {
  const { checks, run, whole } = model
  const main = model.tables[0]?.name
  const all: ReadonlyArray<Sign> = [
    ...(run.message === null ? [] : [{ tone: verdictOf(model).tone, what: run.status, found: run.message }]),
    ...checks.map(
      ({ check, found, passed, table }): Sign => ({
        tone: passed ? "good" : "bad",
        what: table === main ? check : `${table}: ${check}`,
        found
      })
    ),
    ...(whole === null || checks.some(({ check }) => check.startsWith("whole:"))
      ? []
      : [
          {
            tone: whole.missing > 0 || run.facts["partial"] === 1 ? ("warn" as const) : ("good" as const),
            what: "whole: everything that was expected",
            found: `${count(whole.present)} of ${count(whole.expected)}${whole.missing === 0 ? "" : `, ${count(whole.missing)} missing`}`
          }
        ]),
    ...unusualOf(model).map(([column, how]): Sign => ({ tone: "warn", what: `${column} is unusual`, found: how }))
  ]
  const order: ReadonlyArray<Tone> = ["bad", "warn", "good"]
  return all.toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone))
}

const unusualOf = ({ tables }: ReportModel): ReadonlyArray<readonly [column: string, how: string]> =>
  tables.flatMap(({ columns, name }) =>
    columns.flatMap((column) =>
      column.unusual.length === 0 ? [] : [[`${name}.${column.name}`, column.unusual.join("; ")] as const]
    )
  )

/** Why a report has no results of checks. */
export const noChecks = ({ run }: ReportModel): string =>
  run.sinks.length === 0
    ? "The results of all checks are stored with a commit, and this run has none."
    : "No checks were made."

/** What became of the rows of a table since the load before: "2 added, 3 removed, 33 changed". */
export const changeCounts = ({ counts, whole, write }: TableChanges): string => {
  // Merge writes what is new or changed, and nothing else.
  if (!whole) return `${count(counts["written"] ?? 0)} ${write === "merge" ? "new or changed" : "written"}`
  return ["added", "removed", "changed"].map((kind) => `${count(counts[kind] ?? 0)} ${kind}`).join(", ")
}

/** The main table, and the others that changed; empty: nothing did. */
export const changedTables = ({ changes }: ReportModel): ReadonlyArray<TableChanges> =>
  changes.some(isChanged) ? changes.filter((of, at) => at === 0 || isChanged(of)) : []

export const isChanged = ({ counts }: TableChanges): boolean => Object.values(counts).some((n) => n > 0)

/** The figures of this run beside those of the run before; empty: there is no run before. */
export const comparedOf = ({ history, tables }: ReportModel): ReadonlyArray<Compared> => {
  const [before, now] = [history.at(-2), history.at(-1)]
  if (before === undefined || now === undefined) return []
  const row = (
    name: string,
    one: number | null | undefined,
    other: number | null | undefined,
    format: (n: number) => string
  ): ReadonlyArray<Compared> =>
    typeof one === "number" && typeof other === "number"
      ? [{ name, now: format(one), before: format(other), difference: differenceOf(one, other, format) }]
      : []
  return [
    ...tables.slice(0, mostTables).flatMap(({ name }, at) =>
      // Of tables beside the main one, a figure that stays says nothing.
      at > 0 && now.rows[name] === before.rows[name]
        ? []
        : row(`rows of ${name}`, now.rows[name], before.rows[name], count)
    ),
    ...row("from start to commit", now.seconds, before.seconds, (n) => seconds(n * 1000)),
    ...row("downloaded", now.wire_bytes, before.wire_bytes, size),
    ...row("credits", now.credits, before.credits, count)
  ]
}

/** Tables whose rows are compared in the first part of a report. */
const mostTables = 4

const differenceOf = (now: number, before: number, format: (n: number) => string): string => {
  const by = now - before
  // Two figures that a reader sees as the same have no difference.
  if (by === 0 || format(now) === format(before)) return "same"
  return `${by < 0 ? "−" : "+"}${format(Math.abs(by))}`
}

/** What is missing: the most frequent reason first. Together they say where everything went that is no row. */
export const missingOf = (model: ReportModel): ReadonlyArray<Missing> => {
  const { errors, ledger, rejects, run, whole } = model
  const of = (why: string, n: number | undefined, example = ""): ReadonlyArray<Missing> =>
    n === undefined || n === 0 ? [] : [{ why, code: "", count: n, example }]
  const part = (name: string) => ledger?.parts.find((one) => one.name === name)?.count
  const explained = sumOf(errors)
  const lost = (part("failed") ?? 0) + (part("blocked") ?? 0)
  const gaps = gapsOf(run.facts)
  const all = [
    ...errors.map(({ count: n, examples, reason }): Missing => {
      const [first] = examples
      const isSame = first !== undefined && first.text !== "" && examples.every(({ text }) => text === first.text)
      const why = isSame || n === 1 ? (first?.text ?? "") : ""
      return { why: why === "" ? reason : why, code: why === "" ? "" : reason, count: n, example: first?.where ?? "" }
    }),
    ...rejects.map(
      ({ count: n, examples: [first], reason, table }): Missing => ({
        why: `rejected: ${reason}`,
        code: "",
        count: n,
        example: first === undefined ? table : [table, first.where].filter((text) => text !== "").join(" ")
      })
    ),
    // Where no destination lists them, the counts of the run are known all the same.
    ...(explained > 0 || lost === 0
      ? []
      : [...of("failed: no destination says why", part("failed")), ...of("blocked by robots.txt", part("blocked"))]),
    ...(rejects.length > 0 ? [] : of("rejected: no destination says why", part("rejected"))),
    ...of("not reached, because a limit of the pipeline ended the run", part("not reached")),
    ...of("an earlier run had it, and this one met no link to it", whole?.not_met, notMetIn(model)),
    ...of("a part of the source, such as a sitemap, could not be read", run.facts["unread_parts"]),
    ...of("a page without a row", run.facts["without_rows"]),
    ...(gaps.length === 0
      ? of("a required value that was not found on its page", run.facts["missing"])
      : gaps.flatMap(([column, n]) =>
          of(`a row without ${column}, which is required: not found on its page (millrace why says more)`, n)
        ))
  ]
  return all.toSorted((a, b) => b.count - a.count)
}

/** A row that the load before had and this one has not. It is one that was not met only if it is none of all that failed. */
const notMetIn = ({ changes: [main], errors }: ReportModel): string => {
  const isListed = errors.every(({ count: n, examples }) => n <= examples.length)
  const failed = new Set(errors.flatMap(({ examples }) => examples.map(({ where }) => where)))
  const gone = (main?.shown ?? []).filter(({ kind }) => kind === "removed")
  const found = gone.map(({ key }) => key.map(([, value]) => value).join(" ")).find((name) => !failed.has(name))
  return isListed && main?.whole === true ? (found ?? "") : ""
}

/** What stands where no reason is known. */
export const nothingMissing = ({ run }: ReportModel): string =>
  run.sinks.length === 0
    ? "This run has committed nothing, so no destination has its rejects and errors."
    : "Nothing is known to be missing."

/** "394 discovered = 387 loaded + 4 failed + 3 blocked"; undefined: the source does not count. */
export const sumLine = ({ ledger }: ReportModel): string | undefined =>
  ledger === null
    ? undefined
    : `${count(ledger.discovered)} discovered = ${ledger.parts.map((part) => `${count(part.count)} ${part.name}`).join(" + ")}${
        ledger.dropped === 0 ? "" : `; steps removed ${count(ledger.dropped)} of the loaded rows`
      }`

export const sumOf = (all: ReadonlyArray<{ readonly count: number }>): number =>
  all.reduce((n, one) => n + one.count, 0)

/** "1 row", "1,200 rows". */
export const counted = (n: number, noun: string): string => `${count(n)} ${n === 1 ? noun : `${noun}s`}`

const joined = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`

/** What the fields lack, as lines: those that lack most. */
export const askedLines = ({ asked }: ReportModel): ReadonlyArray<string> => {
  const lacking = (asked?.sheet.fields ?? [])
    .filter((field) => Sheet.lackingOf(field) > 0)
    .toSorted((a, b) => Sheet.lackingOf(b) - Sheet.lackingOf(a))
  const rest = lacking.length - mostLines
  return [...lacking.slice(0, mostLines).map(lineOf), ...(rest > 0 ? [`and ${counted(rest, "field")} more`] : [])]
}

const mostLines = 10

const lineOf = ({
  field,
  found,
  given_not_said: given,
  not_understood: unclear,
  read_not_said: silent
}: Sheet.Field) => {
  const parts = [
    ...(silent === 0 ? [] : [`${count(silent)} read and not said`]),
    ...(unclear === 0 ? [] : [`${count(unclear)} not understood (the page has the name)`]),
    ...(given === 0 ? [] : [`${count(given)} given by a model and said by no page`])
  ]
  return `${field}: ${count(found)} found, ${parts.join(", ")}`
}
