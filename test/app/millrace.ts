/**
 * Runs the command line in a fresh folder. `millrace` runs it in this process, which costs a tenth of a process of its own:
 * for all that is seen in files, output and the exit code. `start` runs the real command in a real process, the one that
 * `npm test` installed or this checkout's: for what is served, stopped or killed.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { Console as NodeConsole } from "node:console"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, parse, resolve } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { inject } from "vitest"
import { manifestOf, selectFrom } from "../connectors/parquet/lake.ts"
import { type Answer, page, type ScriptedSite, scriptedSite } from "../service/scriptedSite.ts"
import { asWords, remember } from "../spokenWords.ts"

export const command = inject("command") ?? resolve(import.meta.dirname, "../../bin/millrace")

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command under way, and how it ends. */
export const start = (
  folder: string,
  ...args: ReadonlyArray<string>
): { readonly process: ChildProcess; readonly ended: Promise<Ended> } => startBy([command], folder, ...args)

/** The same, started by another program: `ip netns exec one`, `taskset 1`. */
export const startBy = (
  [program = command, ...before]: ReadonlyArray<string>,
  folder: string,
  ...args: ReadonlyArray<string>
): { readonly process: ChildProcess; readonly ended: Promise<Ended> } => {
  const child = spawn(program, [...before, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk) => (stdout += chunk))
  child.stderr.on("data", (chunk) => (stderr += chunk))
  let end = "it has not ended"
  remember(() => asWords(args, end, stdout, stderr))
  const ended = new Promise<Ended>((done) =>
    child.on("close", (code, signal) => {
      end = `it ended with ${code ?? signal}`
      done({ code, stdout, stderr })
    })
  )
  return { process: child, ended }
}

/** The command in this process. It has the folder and the output to itself, so one begins when the one before has ended. */
export const millrace = async (folder: string, ...args: ReadonlyArray<string>): Promise<Ended> => {
  const { code, stderr, stdout } = await runHere(folder, args)
  return { code, stdout: stdout.toString(), stderr: stderr.toString() }
}

/** The same, with its output as it was written. */
export const runHere = (folder: string, args: ReadonlyArray<string>, around: Around = (run) => run()) => {
  const ended = before.then(() => around(() => running(folder, args)))
  before = ended.catch(() => undefined)
  return ended
}

export interface EndedHere {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** What else is so while the command runs. */
export type Around = (run: () => Promise<EndedHere>) => Promise<EndedHere>

let before: Promise<unknown> = Promise.resolve()

const running = async (folder: string, args: ReadonlyArray<string>): Promise<EndedHere> => {
  const { commandLine, exitCodeOf } = await import("#app/commandLine")
  const home = process.cwd()
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)]
  process.chdir(folder)
  try {
    // What Effect prints by itself, as the help, must not go by the console of the test runner.
    const console = new NodeConsole(process.stdout, process.stderr)
    const program = commandLine(args).pipe(
      Effect.provideService(Console.Console, console),
      // Effect reads the environment once for a process, and this one has had others.
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv())
    )
    const code = exitCodeOf(await Effect.runPromiseExit(program))
    remember(() => asWords(args, `it ended with ${code}`, String(stdout.bytes()), String(stderr.bytes())))
    return { code, stdout: stdout.bytes(), stderr: stderr.bytes() }
  } finally {
    process.chdir(home)
    stdout.release()
    stderr.release()
  }
}

/** Keeps what is written to a stream of this process until it is released. */
const captured = (stream: NodeJS.WriteStream) => {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back where it was, and called by nobody meanwhile
  const { write } = stream
  const chunks: Array<Uint8Array> = []
  stream.write = (chunk: string | Uint8Array, ...rest: ReadonlyArray<unknown>): boolean => {
    chunks.push(Buffer.from(chunk))
    const done = rest.find((argument) => typeof argument === "function")
    if (done !== undefined) process.nextTick(done)
    return true
  }
  return { bytes: () => Buffer.concat(chunks), release: () => void (stream.write = write) }
}

/** A folder that is gone afterwards. */
export const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-cli-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A page that keeps what each request says in a header. */
export const hearing = (header: string) => {
  const heard: Array<unknown> = []
  const answer: Answer = (request, response) => {
    heard.push(request.headers[header])
    response.setHeader("content-type", "text/html")
    response.end(String(page("home")))
  }
  return { heard, answer }
}

/** A folder, and a site that `--resolve` finds as site.test. */
export const withSite = (
  routes: Readonly<Record<string, Answer>>,
  use: (at: { readonly folder: string; readonly site: ScriptedSite; readonly resolve: string }) => Promise<void>
): Promise<void> =>
  inFolder((folder) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(scriptedSite(routes), (site) =>
          Effect.promise(() => use({ folder, site, resolve: `site.test=127.0.0.1:${site.port}` }))
        )
      )
    )
  )

export const write = (folder: string, name: string, ...lines: ReadonlyArray<string>): string => {
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`)
  return name
}

/** What a query gives on a DuckDB file that nobody writes, or on ":memory:". */
export const query = (file: string, sql: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const answer = asked.then(() => ask(file, sql))
  asked = answer.catch(() => undefined)
  return answer
}

let asked: Promise<unknown> = Promise.resolve()

/** One for this process, which holds no file between two questions: each that is opened costs 15 ms. */
let answering: Promise<DuckDBInstance> | undefined

const ask = async (file: string, sql: string) => {
  // A file may be another one at the same place in the same moment.
  answering ??= DuckDBInstance.create(":memory:", { enable_external_file_cache: "false" })
  const connection = await (await answering).connect()
  const isFile = file !== ":memory:"
  // What a question makes in memory is gone with its database, too.
  const name = isFile ? `"${parse(file).name.replaceAll('"', '""')}"` : "asked"
  try {
    await connection.run(`ATTACH '${file.replaceAll("'", "''")}' AS ${name} ${isFile ? "(READ_ONLY)" : ""}`)
    try {
      await connection.run(`USE ${name}`)
      return (await connection.runAndReadAll(sql)).getRowObjectsJson()
    } finally {
      await connection.run(`USE memory; DETACH ${name}`)
    }
  } finally {
    connection.closeSync()
  }
}

/** What a query gives on a Parquet table of a folder, by its manifest alone; the query says FROM lake. */
export const queryLake = async (folder: string, table: string, sql: string) => {
  const manifest = Option.getOrUndefined(await Effect.runPromise(manifestOf(folder)))
  const { columns = [], files = [], partition = [] } = manifest?.tables[table] ?? {}
  const lake = `(${selectFrom(columns, partition, files.map(({ path }) => `'${join(folder, path)}'`).join())})`
  return query(":memory:", `WITH lake AS ${lake} ${sql}`)
}

/** Changes a DuckDB file, as its owner does between two runs. */
export const alter = async (file: string, sql: string): Promise<void> => {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  try {
    await connection.run(sql)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** How each run of a file ended, by `millrace runs`, the oldest first. */
export const statuses = async (folder: string, file: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await millrace(folder, "runs", file, "--json")
  const lines = stdout.trim().split("\n")
  return lines.map((line): string => JSON.parse(line).status).toReversed()
}
