/** The questions as a notebook for Python: DuckDB or psycopg reads, pandas holds, Altair draws. */
import { type Cell, pathFrom, type Subject } from "./notebookFile.ts"
import type { Question } from "./questions.ts"

export const pythonCells = (subject: Subject, questions: ReadonlyArray<Question>): ReadonlyArray<Cell> => [
  {
    kind: "markdown",
    text: `# ${subject.pipeline}

What \`${subject.file}\` has loaded. The notebook reads and changes nothing.

It needs Python with \`pip install ${subject.readers._tag === "Postgres" ? '"psycopg[binary]"' : "duckdb"} pandas altair jupyterlab\`. Written by \`millrace notebook\`: run that again after the
tables of the pipeline have changed.`
  },
  { kind: "code", text: opening(subject) },
  ...questions.flatMap((question) => cellsOf(question, subject.readers._tag === "Postgres"))
]

const opening = ({ folder, readers, written = "" }: Subject): string => {
  if (readers._tag === "Postgres") return openingOfPostgres(readers, written)
  const head = "import altair as alt\nimport duckdb\n"
  const ask = `

def ask(sql, **values):
    """The answer to a question as a data frame. Each one opens the tables anew, so no run waits for this notebook."""
    with open_tables() as tables:
        return tables.execute(sql, values).df()`
  if (readers._tag === "DuckDbFile") {
    return `${head}
FILE = ${text(pathFrom(folder, readers.file))}


def open_tables():
    tables = duckdb.connect()
    tables.execute("ATTACH '" + FILE.replace("'", "''") + "' AS loaded (READ_ONLY)")
    tables.execute('USE loaded.${readers.schema.replaceAll('"', '""').replace(/^.*$/s, (name) => `"${name}"`)}')
    return tables
${ask}`
  }
  const isUrl = /^\w+:\/\//.test(readers.script)
  const script = isUrl ? readers.script : pathFrom(folder, readers.script)
  const at = script.slice(0, -"/read.sql".length) || "."
  return `${head}
LAKE = ${text(at)}


def open_tables():
    tables = duckdb.connect()
${isUrl ? `    # The keys are those of the environment, as for the AWS command line.\n    tables.execute("INSTALL httpfs; LOAD httpfs; CREATE SECRET (TYPE s3, PROVIDER credential_chain)")\n` : ""}    tables.execute("SET VARIABLE lake = ?", [LAKE])
    (script,) = tables.execute("SELECT content FROM read_text(?)", [LAKE + "/read.sql"]).fetchone()
    tables.execute(script)
    return tables
${ask}`
}

const openingOfPostgres = (
  { schema, url }: { readonly url: string; readonly schema: string },
  written: string
): string => {
  const from = databaseUrl(written, url)
  const comment = from.startsWith('"')
    ? "# Its password is in PGPASSWORD or in ~/.pgpass, where it needs one.\n"
    : "# With its password, which is not in this file.\n"
  return `import os

import altair as alt
import pandas as pd
import psycopg

${from.includes("secret(") ? `\n${secretFunction}\n\n\n` : ""}${comment}URL = ${from}
SCHEMA = ${text(schema)}


def ask(sql, **values):
    """The answer to a question as a data frame. Each one connects anew, and can change nothing."""
    with psycopg.connect(URL) as tables:
        tables.read_only = True
        tables.execute("SELECT set_config('search_path', quote_ident(%s), true)", [SCHEMA])
        answer = tables.execute(sql, values or None)
        return pd.DataFrame(answer.fetchall(), columns=[column.name for column in answer.description])`
}

/** `$word` is `%(word)s` to psycopg, and a % of a question that has values is two. */
const inPsycopg = (sql: string, isGiven: boolean): string =>
  isGiven ? sql.replaceAll("%", "%%").replaceAll(/\$(\w+)/g, "%($1)s") : sql

const cellsOf = (
  { chart, sql: query, text: note, title, values = {} }: Question,
  isPostgres: boolean
): ReadonlyArray<Cell> => {
  const given = Object.entries(values)
  const sql = isPostgres ? inPsycopg(query, given.length > 0) : query
  const sets = given.map(([name, value]) => `${name} = ${text(value)}\n`).join("")
  const call = `ask(\n    """\n${sql.replaceAll(/^/gm, "    ")}\n    """${given.map(([name]) => `,\n    ${name}=${name}`).join("")},\n)`
  const drawn =
    chart === undefined
      ? call
      : `answer = ${call}\nalt.Chart(answer).mark_bar().encode(x=${text(chart.counts)}, y=alt.Y(${text(chart.names)}, sort="-x")) if len(answer) > 1 else answer`
  return [
    { kind: "markdown", text: `## ${title}${note === "" ? "" : `\n\n${note}`}` },
    { kind: "code", text: `${sets}${drawn}` }
  ]
}

/** A text in Python, which reads JSON's as its own. */
const text = (value: string): string => JSON.stringify(value)

/**
 * How a notebook gets the URL of a database without having its password: from the same environment variables as the
 * pipeline file.
 *
 * Guarantee: no password is written. One that stands in the pipeline file itself is left out; libpq then asks PGPASSWORD and
 * ~/.pgpass.
 */

/** The URL as an expression of Python. `written`: as the pipeline file has it; `plain`: what it means, without a password. */
const databaseUrl = (written: string, plain: string): string => {
  const parts = [...written.matchAll(/\$\{(env|secrets)\.(\w+)(?::-[^}]*)?\}|[^$]+|\$/g)]
  const literal = parts.flatMap(([part, namespace]) => (namespace === undefined ? [part] : [])).join("\0")
  // Another namespace, an escape, or a password in plain text.
  if (parts.every(([, namespace]) => namespace === undefined) || literal.includes("$") || /:[^/@\0]+@/.test(literal)) {
    return JSON.stringify(plain)
  }
  return parts
    .map(([part, namespace, name = ""]) => {
      if (namespace === undefined) return JSON.stringify(part)
      return namespace === "env" ? `os.environ["${name}"]` : `secret("${name}")`
    })
    .join(" + ")
}

/** The function `secret` of Python, which finds secrets where `millrace` does. */
const secretFunction = `def secret(name):
    """The secret that the pipeline file names: it is in the environment, or in a file that the environment names."""
    file = os.environ.get("MILLRACE_SECRET_" + name + "_FILE")
    if "MILLRACE_SECRET_" + name not in os.environ and file:
        with open(file, encoding="utf-8") as opened:
            return opened.read().rstrip("\\r\\n")
    return os.environ["MILLRACE_SECRET_" + name]`
