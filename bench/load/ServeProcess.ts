/** A real `millrace serve` for measurements: started over a folder of its own, and read from outside, by the kernel's files. */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")

export interface ServeProcess {
  readonly url: string
  readonly pid: number
  /** The SQLite file of the service, where it has one. */
  readonly file: string
  readonly folder: string
  readonly stop: () => Promise<void>
  /** Ends it at once, as a crash does; its folder stays for the next one. */
  readonly kill: () => Promise<void>
}

export interface Options {
  /** Names that the service finds at ports of this machine. */
  readonly resolve: ReadonlyMap<string, number>
  readonly teams: ReadonlyArray<string>
  /** A `postgres://` URL; default: a SQLite file. */
  readonly database?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** Where an earlier one has ended: its folder and its port. */
  readonly after?: ServeProcess | undefined
}

export const keyOf = (team: string): string => `fc-${team}`

export const start = async ({ after, database, env = {}, resolve, teams }: Options): Promise<ServeProcess> => {
  const folder = after?.folder ?? mkdtempSync(join(tmpdir(), "millrace-bench-load-"))
  const plan = "plans: { all: { credits: 100000000, requests_per_minute: 1000000, concurrency: 64 } }"
  const keys = teams.map((team) => `  - { key: ${keyOf(team)}, team: ${team}, plan: all }`)
  writeFileSync(join(folder, "keys.yaml"), `${plan}\nkeys:\n${keys.join("\n")}\n`)
  const args = [
    "serve",
    `--port=${after === undefined ? 0 : new URL(after.url).port}`,
    `--data=${folder}/data`,
    `--keys=${folder}/keys.yaml`,
    ...(database === undefined ? [] : [`--database=${database}`]),
    ...Array.from(resolve, ([name, port]) => `--resolve=${name}=127.0.0.1:${port}`)
  ]
  const child = spawn(join(root, "bin/millrace"), args, {
    cwd: folder,
    env: { ...process.env, MILLRACE_SEAL_KEY: "of this measurement", ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = new Promise<void>((done) => child.once("exit", () => done()))
  const url = await new Promise<string>((done, fail) => {
    child.stdout.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
    child.once("exit", (code) => fail(new Error(`the service ended with ${code}`)))
  })
  const said = new Map<string, number>()
  // Equal lines are reported once, at the end, with their number.
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      for (const line of String(chunk).split("\n")) {
        const text = line.replace(/^\[[\d:.]+\] /, "").replace(/#\d+/g, "…")
        if (text.trim() !== "") said.set(text, (said.get(text) ?? 0) + 1)
      }
    })
  }
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
    rmSync(folder, { recursive: true, force: true })
    const lines = [...said].toSorted(([, a], [, b]) => b - a).slice(0, 30)
    console.log(`\nwhat the service logged: ${said.size === 0 ? "nothing" : ""}`)
    for (const [line, times] of lines) console.log(`  ${times} x ${line.slice(0, 300)}`)
  }
  const kill = async () => {
    child.kill("SIGKILL")
    await ended
  }
  return { url, pid: child.pid ?? 0, file: join(folder, "data/service.sqlite"), folder, stop, kill }
}

export interface Reading {
  /** Resident megabytes. */
  readonly memory: number
  readonly files: number
  readonly sockets: number
  /** CPU seconds so far, of the process. */
  readonly cpu: number
}

export const read = (pid: number): Reading => {
  const folder = `/proc/${pid}/fd`
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name))
    } catch {
      return "" // closed since
    }
  })
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
  return {
    memory: Math.round(memory),
    files: targets.length,
    sockets: targets.filter((target) => target.startsWith("socket:")).length,
    cpu: (Number(fields[11]) + Number(fields[12])) / 100
  }
}

export const line = ({ files, memory, sockets }: Reading): string =>
  `${memory} MB, ${files} open files, ${sockets} of them sockets`
