/** The questions as a notebook for TypeScript, on the kernel of Deno: DuckDB reads, Observable Plot draws. */

import type { SinkTable } from "../export/tablesOfSink.ts"
import { rowTypes, typeName } from "../exportTypes.ts"
import { type Cell, pathFrom, type Subject } from "./notebookFile.ts"
import type { Question } from "./questions.ts"

/** What DuckDB opens. */
interface DuckDbSubject extends Subject {
  readonly readers: Exclude<Subject["readers"], { readonly _tag: "Postgres" }>
}

export const typeScriptCells = (
  subject: DuckDbSubject,
  questions: ReadonlyArray<Question>,
  tables: ReadonlyArray<SinkTable>
): ReadonlyArray<Cell> => [
  {
    kind: "markdown",
    text: `# ${subject.pipeline}

What \`${subject.file}\` has loaded. The notebook reads and changes nothing.

It needs Jupyter and the kernel of Deno: \`npm install -g deno\`, then \`deno jupyter --install\`. The first cell takes its packages
from npm; inside of a Node project, a file \`deno.json\` beside it says
\`{ "nodeModulesDir": "none" }\`. Written by \`millrace notebook --ts\`: run that again after the tables of the pipeline have changed.`
  },
  { kind: "code", text: opening(subject) },
  {
    kind: "markdown",
    text: "## The rows\n\nThe type of the rows of each table. `rows` reads a table as such rows."
  },
  { kind: "code", text: `${rowTypes(tables)}\n\n${rowsOf(tables)}` },
  ...questions.flatMap(cellsOf)
]

const opening = (subject: DuckDbSubject): string => `import { DuckDBInstance } from "npm:@duckdb/node-api@1.5.5-r.5"
import * as Plot from "npm:@observablehq/plot@0.6.17"
import { parseHTML } from "npm:linkedom@0.18.15"

${openTables(subject)}

type Rows = Array<Record<string, unknown>>

/** The answer to a question. Each one opens the tables anew, so no run waits for this notebook. */
const ask = async (sql: string, values: Record<string, string> = {}): Promise<Rows> => {
  const connection = await openTables()
  try {
    return (await connection.runAndReadAll(sql, values)).getRowObjectsJson() as Rows
  } finally {
    connection.closeSync()
  }
}

const escape = (value: unknown): string =>
  String(value ?? "").slice(0, 200).replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** An answer as a table. */
const show = (answer: Rows) => {
  const names = Object.keys(answer[0] ?? {})
  const cellOf = (value: unknown) => typeof value === "object" && value !== null ? JSON.stringify(value) : value
  const head = names.map((name) => \`<th>\${escape(name)}</th>\`).join("")
  const body = answer.map((row) => \`<tr>\${names.map((name) => \`<td>\${escape(cellOf(row[name]))}</td>\`).join("")}</tr>\`)
  const html = \`<table><tr>\${head}</tr>\${body.join("")}</table>\`
  return Deno.jupyter.display({ "text/html": answer.length === 0 ? "no rows" : html }, { raw: true })
}

/** An answer as bars: one column names, one counts. */
const bars = (answer: Rows, y: string, x: string) => {
  if (answer.length === 0) return show(answer)
  const { document } = parseHTML("<html><body></body></html>")
  const data = answer.map((row) => ({ ...row, [x]: Number(row[x]) }))
  const drawn = Plot.plot({ document, marginLeft: 180, marks: [Plot.barX(data, { x, y, sort: { y: "-x" } })] })
  return Deno.jupyter.display({ "image/svg+xml": withNamespace(drawn.outerHTML) }, { raw: true })
}

const withNamespace = (svg: string) => svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')`

const openTables = ({ folder, readers }: DuckDbSubject): string => {
  const begin = `const openTables = async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  await connection.run("SET TimeZone = 'UTC'")`
  if (readers._tag === "DuckDbFile") {
    const schema = `loaded."${readers.schema.replaceAll('"', '""')}"`
    return `const file = ${JSON.stringify(pathFrom(folder, readers.file))}

${begin}
  await connection.run(\`ATTACH '\${file.replaceAll("'", "''")}' AS loaded (READ_ONLY)\`)
  await connection.run(${JSON.stringify(`USE ${schema}`)})
  return connection
}`
  }
  const isUrl = /^\w+:\/\//.test(readers.script)
  const script = isUrl ? readers.script : pathFrom(folder, readers.script)
  const keys = `  // The keys are those of the environment, as for the AWS command line.
  await connection.run("INSTALL httpfs; LOAD httpfs; CREATE SECRET (TYPE s3, PROVIDER credential_chain)")\n`
  return `const lake = ${JSON.stringify(script.slice(0, -"/read.sql".length) || ".")}

${begin}
${isUrl ? keys : ""}  await connection.run("SET VARIABLE lake = $lake", { lake })
  const found = await connection.runAndReadAll("SELECT content FROM read_text($script)", { script: \`\${lake}/read.sql\` })
  await connection.run(String(found.getRowsJson()[0]?.[0]))
  return connection
}`
}

/** A function that knows which rows each table has. */
const rowsOf = (tables: ReadonlyArray<SinkTable>): string => {
  const names = tables.map(({ table }) => `  readonly ${JSON.stringify(table.name)}: ${typeName(table.name)}`)
  return `interface Tables {
${names.join("\n")}
}

const rows = async <Name extends keyof Tables>(table: Name, limit = 1000): Promise<ReadonlyArray<Tables[Name]>> =>
  (await ask(\`FROM "\${table.replaceAll('"', '""')}" LIMIT \${limit}\`)) as unknown as ReadonlyArray<Tables[Name]>`
}

const cellsOf = ({ chart, sql, text, title, values }: Question): ReadonlyArray<Cell> => {
  const given = values === undefined ? "" : `, ${JSON.stringify(values)}`
  const call = `await ask(\`\n${template(sql).replaceAll(/^/gm, "  ")}\n\`${given})`
  const note = text === "" ? "" : `\n\n${text}`
  return [
    { kind: "markdown", text: `## ${title}${note}` },
    {
      kind: "code",
      text:
        chart === undefined
          ? `await show(${call})`
          : `await bars(${call}, ${JSON.stringify(chart.names)}, ${JSON.stringify(chart.counts)})`
    }
  ]
}

/** A text between backticks. */
const template = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")
