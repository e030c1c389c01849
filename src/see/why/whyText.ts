/** What `millrace why` prints: the value, then each place that has it, the value marked as »here« in its context. */
import { textOf } from "./evidenceRows.ts"
import type { Context, Evidence, WhyModel } from "./WhyModel.ts"

const longestValue = 500
const mostPlaces = 10

export const whyText = (model: WhyModel): string => {
  const { column, engine, evidence, key, notes, pipeline, reading, row, run, sink, table, type, value } = model
  const name = Object.entries(key).map(([part, content]) => `${part}=${String(content)}`)
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    ["page", row.url],
    ["read at", row.fetched_at],
    [
      "run",
      row.run_id === null ? null : `${row.run_id}${run === null ? "" : ` (${run.status}, began ${run.started_at})`}`
    ],
    ["job", row.job_id],
    ["engine", engine === null ? null : `${engine.name}${engine.model === null ? "" : `, ${engine.model}`}`],
    ["reader", reading === null ? null : `${reading.column} ${textOf(reading.version)}`]
  ]
  const lines = [
    `${pipeline}: ${table} ${name.join(", ")}: ${column} (${type}, sink ${sink})`,
    `  ${value === null ? "null" : cut(oneLine(textOf(value)))}`,
    "",
    ...facts.flatMap(([what, fact]) => (fact === null ? [] : [`  ${what.padEnd(8)} ${fact}`])),
    ...(evidence.length === 0
      ? []
      : ["", `evidence: ${evidence.length} ${evidence.length === 1 ? "place" : "places"}`]),
    ...evidence.slice(0, mostPlaces).flatMap(place),
    ...(evidence.length > mostPlaces ? [`  and ${evidence.length - mostPlaces} more: --json prints all`] : []),
    ...notes.map((note) => `\nnote: ${note}`)
  ]
  return `${lines.join("\n")}\n`
}

const place = ({ context, kind, place: where, span, supported, url, value }: Evidence): ReadonlyArray<string> => [
  `  ${kind}: ${where}${span === null ? "" : `, characters ${span[0]} to ${span[1]} of the HTML`}`,
  `    ${url}`,
  ...(value === null ? [] : [`    says ${cut(oneLine(value))}`]),
  ...(supported === null ? [] : [supported ? "    the page says this" : "    no page says this: only the model does"]),
  ...(context === null ? [] : contextLines(context))
]

const contextLines = ({ after, before, marked, matches, source }: Context): ReadonlyArray<string> => [
  `    ${source}${matches ? "" : ": this place does not have the value (any more)"}`,
  `    … ${oneLine(before)}»${oneLine(marked)}«${oneLine(after)} …`
]

const oneLine = (text: string): string => text.replace(/\s+/g, " ")

const cut = (text: string): string =>
  text.length <= longestValue ? text : `${text.slice(0, longestValue - 1).toWellFormed()}…`
