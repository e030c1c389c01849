/**
 * The tools for pipelines: check, plan and run them, and query what they have loaded.
 *
 * Only the pipeline files of the command line can be used: an agent names one of a list, never a path. It cannot set variables
 * either, since a pipeline file may build paths of them.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import { commitHeld } from "#see/CliFailure"
import { ownCommand } from "#see/packageFolder"
import { type Arguments, answerText, type McpTool, type Outcome, type Progress } from "#service/McpTool"
import { wholeNumber } from "#service/mcpJobs"
import { choice, flag, isFields, number, text } from "#service/toolArguments"

interface Pipelines {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
  /** The options of `millrace run` for the network. */
  readonly network: ReadonlyArray<string>
}

const maxRuns = 20
const maxRows = 50

export const pipelineTools = (pipelines: Pipelines): ReadonlyArray<McpTool> =>
  pipelines.files.length === 0
    ? []
    : [
        checkTool(pipelines),
        planTool(pipelines),
        runTool(pipelines),
        runsTool(pipelines),
        diffTool(pipelines),
        sqlTool(pipelines)
      ]

const checkTool = (pipelines: Pipelines): McpTool => ({
  name: "millrace_check",
  title: "Check pipelines",
  description: "Check pipeline files without running them; reports everything that is wrong, with line and column.",
  properties: { file: anyFile(pipelines) },
  required: [],
  isReadOnly: true,
  call: (given) => {
    const named = filesOf(pipelines, given)
    return named === undefined ? unknown(pipelines) : command(["check", ...sets(pipelines), "--", ...named])
  }
})

const planTool = (pipelines: Pipelines): McpTool => ({
  name: "millrace_plan",
  title: "Plan a pipeline",
  description: "Show what a run would read and write: source, limits, tables, columns. Nothing is run.",
  properties: { file: oneFile(pipelines) },
  required: pipelines.files.length === 1 ? [] : ["file"],
  isReadOnly: true,
  call: (given) => {
    const file = fileOf(pipelines, given)
    return file === undefined ? unknown(pipelines) : command(["plan", "--json", ...sets(pipelines), "--", file])
  }
})

const runTool = (pipelines: Pipelines): McpTool => ({
  name: "millrace_run",
  title: "Run a pipeline",
  description:
    "Run a pipeline and load its tables; may take minutes. A run that is cancelled stops its job and commits nothing.",
  properties: {
    file: oneFile(pipelines),
    once: text("a key, such as a date: a run that has committed under this key is reported and not run again"),
    fullRefresh: flag("read from the beginning and ignore the checkpoints")
  },
  required: pipelines.files.length === 1 ? [] : ["file"],
  isReadOnly: false,
  call: (given, progress) => {
    const file = fileOf(pipelines, given)
    if (file === undefined) return unknown(pipelines)
    return run([...sets(pipelines), ...pipelines.network], file, given, progress)
  }
})

const runsTool = (pipelines: Pipelines): McpTool => ({
  name: "millrace_runs",
  title: "Past runs",
  description: "List past runs, the newest first: status, rows, credits; or show one of them.",
  properties: {
    file: anyFile(pipelines),
    run: text("the id of a run, or its first characters"),
    limit: number(`the number of runs; default: ${maxRuns}`, 1)
  },
  required: [],
  isReadOnly: true,
  call: (given) => {
    const named = filesOf(pipelines, given)
    if (named === undefined) return unknown(pipelines)
    const { run: id } = given
    if (typeof id === "string" && id !== "") {
      return command(["runs", "show", "--json", ...sets(pipelines), "--", id, ...named])
    }
    const count = wholeNumber(given["limit"], maxRuns)
    return command(["runs", "--json", ...sets(pipelines), "--", ...named], { count, what: "older runs" })
  }
})

const diffTool = (pipelines: Pipelines): McpTool => ({
  name: "millrace_diff",
  title: "What changed",
  description: "Show the rows that changed in a table between two loads.",
  properties: {
    table: text("the table, as millrace_plan names it"),
    file: anyFile(pipelines),
    from: text("the older load: a run id, a time, or previous; default: previous"),
    to: text("the newer load: a run id, a time, or latest; default: latest"),
    limit: number(`the number of rows; default: ${maxRows}`, 1)
  },
  required: ["table"],
  isReadOnly: true,
  call: (given) => {
    const named = filesOf(pipelines, given)
    if (named === undefined) return unknown(pipelines)
    const { from, table, to } = given
    const loads = [...option("from", from), ...option("to", to)]
    const limit = `--limit=${wholeNumber(given["limit"], maxRows)}`
    return command(["diff", "--json", limit, ...loads, ...sets(pipelines), "--", String(table ?? ""), ...named])
  }
})

const sqlTool = (pipelines: Pipelines): McpTool => ({
  name: "millrace_sql",
  title: "Ask loaded tables",
  description:
    "Query the tables that a pipeline has loaded, with one SQL statement; only these tables can be read, and nothing is written. " +
    "DuckDB's SQL, or that of Postgres where the sink is one. Begin with SHOW TABLES and DESCRIBE a table; texts of pages are " +
    "long, so select the columns that you need.",
  properties: {
    query: text("SELECT, FROM, WITH, VALUES, SHOW TABLES, DESCRIBE or SUMMARIZE: one statement"),
    file: oneFile(pipelines),
    sink: text("the sink to ask, as the pipeline file names it; default: the first that answers SQL"),
    asOf: text("the tables as an earlier load left them: a run id, a time, or previous; of a lake, or of files"),
    limit: number(`the number of rows; default: ${maxRows}`, 1)
  },
  required: pipelines.files.length === 1 ? ["query"] : ["query", "file"],
  isReadOnly: true,
  call: (given) => {
    const file = fileOf(pipelines, given)
    if (file === undefined) return unknown(pipelines)
    const { asOf, query, sink } = given
    const options = [...option("sink", sink), ...option("as-of", asOf), ...sets(pipelines)]
    const count = wholeNumber(given["limit"], maxRows)
    // The query "-" would make the command read stdin.
    const args = ["sql", "--format=json", ...options, "--", file, `${String(query ?? "")}\n`]
    return command(args, { count, what: "more rows" })
  }
})

const oneFile = ({ files }: Pipelines) => choice(files, "the pipeline file")
const anyFile = ({ files }: Pipelines) => choice(files, "the pipeline file; default: all of them")

const sets = ({ vars }: Pipelines): ReadonlyArray<string> =>
  Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}=${value}`])

const fileOf = ({ files }: Pipelines, { file }: Arguments): string | undefined =>
  files.find((name) => name === file) ?? (file === undefined && files.length === 1 ? files[0] : undefined)

/** The named pipeline, or all of them if none is named. */
const filesOf = (pipelines: Pipelines, given: Arguments): ReadonlyArray<string> | undefined => {
  if (given["file"] === undefined) return pipelines.files
  const file = fileOf(pipelines, given)
  return file === undefined ? undefined : [file]
}

/** An option of the command line, if the caller gives it. */
const option = (name: string, given: unknown): ReadonlyArray<string> =>
  typeof given === "string" && given !== "" ? [`--${name}=${given}`] : []

const unknown = ({ files }: Pipelines): Effect.Effect<Outcome> =>
  Effect.succeed({
    texts: [
      `file must be one of those that this server was started with: ${files.join(", ")}. To use another, its user starts millrace mcp with it.`
    ],
    isError: true
  })

interface Lines {
  /** How many lines of the answer are given. */
  readonly count: number
  /** What the others are. */
  readonly what: string
}

const command = (args: ReadonlyArray<string>, lines?: Lines): Effect.Effect<Outcome> =>
  Effect.map(
    ownProcess(args, () => false),
    ({ code, stderr, stdout }) => outcomeOf(code, lines === undefined ? stdout : firstLines(stdout, lines), stderr)
  )

const run = (flags: ReadonlyArray<string>, file: string, { fullRefresh, once }: Arguments, progress: Progress) =>
  Effect.gen(function* () {
    const runFork = yield* Effect.context().pipe(Effect.map((context) => Effect.runForkWith(context)))
    const args = [
      "run",
      "--json",
      ...flags,
      ...(fullRefresh === true ? ["--full-refresh"] : []),
      ...(typeof once === "string" && once !== "" ? [`--once=${once}`] : []),
      "--",
      file
    ]
    const run = yield* ownProcess(args, (line) => {
      const step = progressOf(line)
      if (step === undefined) return false
      runFork(progress(step.done, step.total, step.message))
      return true
    })
    return outcomeOf(run.code, run.stdout, run.stderr)
  })

/** A line of progress that `run --json` writes to stderr. */
const progressOf = (line: string) => {
  if (!line.startsWith("{")) return undefined
  try {
    const parsed: unknown = JSON.parse(line)
    if (!isFields(parsed)) return undefined
    const { completed, elapsed_ms: elapsed, phase, total } = parsed
    if (typeof phase !== "string") return undefined
    return typeof completed === "number" && typeof total === "number"
      ? { done: completed, total, message: `${phase}: ${completed} of ${total} pages` }
      : { done: typeof elapsed === "number" ? elapsed / 1000 : 0, total: undefined, message: phase }
  } catch {
    return undefined
  }
}

const outcomeOf = (code: number, stdout: string, stderr: ReadonlyArray<string>): Outcome => {
  const notes = stderr.join("\n").trim()
  const answer =
    stdout.trim() === "" ? undefined : answerText(stdout.trim(), 0, undefined, "A smaller limit gives less.")
  const texts = [...(answer?.texts ?? []), ...(notes === "" ? [] : [notes])]
  if (code === 0) return { texts: texts.length === 0 ? ["done"] : texts }
  const advice =
    code === commitHeld
      ? "What to do: a check holds this run, and nothing is committed. Tell the user; only a person decides to commit or drop it."
      : "What to do: read the message. If the pipeline file is wrong, tell the user its line; if a site or a destination does not answer, run it again later."
  return { texts: [...texts, advice], isError: true }
}

const firstLines = (text: string, { count, what }: Lines): string => {
  const lines = text.trimEnd().split("\n")
  return lines.length <= count
    ? text
    : `${lines.slice(0, count).join("\n")}\n(${lines.length - count} ${what} are not shown: a larger limit gives them)`
}

/**
 * Runs a command of this program in a process of its own. So its output does not mix with the protocol on our stdout, and it is
 * stopped with SIGTERM, so that a run cancels its job and keeps its journal.
 */
interface Ended {
  readonly code: number
  readonly stdout: string
  /** The last lines of stderr, without progress. */
  readonly stderr: ReadonlyArray<string>
}

/** More output than an agent reads. */
const maxOutput = 4 * 1024 * 1024
const maxLines = 100
/** A run that receives SIGTERM finishes its transaction first. */
const patienceMillis = 30_000

/** `onLine` handles a line of stderr; true: the line is not kept. */
const ownProcess = (args: ReadonlyArray<string>, onLine: (line: string) => boolean): Effect.Effect<Ended> =>
  Effect.callback<Ended>((resume) => {
    const [program, ...first] = ownCommand()
    const child = spawn(program, [...first, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    const chunks: Array<Buffer> = []
    const lines: Array<string> = []
    let length = 0
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxOutput) chunks.push(chunk)
    })
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (onLine(line)) return
      lines.push(line)
      if (lines.length > maxLines) lines.shift()
    })
    const closed = new Promise<void>((done) => child.once("close", () => done()))
    child.once("error", (error) => resume(Effect.succeed({ code: 1, stdout: "", stderr: [error.message] })))
    child.once("close", (code) =>
      resume(Effect.succeed({ code: code ?? 1, stdout: Buffer.concat(chunks).toString(), stderr: lines }))
    )
    return Effect.promise(() => {
      child.kill("SIGTERM")
      const last = setTimeout(() => child.kill("SIGKILL"), patienceMillis)
      return closed.finally(() => clearTimeout(last))
    })
  })
