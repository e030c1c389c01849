/**
 * The folder in which the code of a page is tried: its commands are those of this checkout, and the hosts that pages name are
 * the demo site.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { delimiter, dirname, join, relative, resolve } from "node:path"
import { inject } from "vitest"
import { parse, stringify } from "yaml"
import { type Block, blocksOf } from "../../scripts/reference/blocks.ts"
import { importsOfSources } from "../../scripts/reference/typeScriptBlocks.ts"
import { query } from "../app/millrace.ts"
import { asking } from "./commandsHere.ts"
import { unsaidLines } from "./unsaidLines.ts"

export const root = resolve(import.meta.dirname, "../..")
const command = inject("command") ?? join(root, "bin/millrace")

/** What pages call the reader's own site. */
const hosts = ["your.site", "docs.example.com"]
/** The ports that pages name. Each page gets free ones. */
const ports = ["3002", "8787", "8788", "8790"]
/** The commands that reach the web. */
const reaching = ["run", "preview", "backfill", "serve", "receive", "schedule"]

/** The commands that are stopped from outside, or start processes. */
const ofTheirOwn = ["serve", "receive", "site", "schedule", "explore", "mcp"]

/** Secrets that are addresses. */
const urls: Readonly<Record<string, string>> = {
  SLACK_URL: "https://hooks.example.com/services/1",
  WAREHOUSE: "postgres://millrace:secret@db.example.com/warehouse"
}

export const secrets: Readonly<Record<string, string>> = Object.fromEntries(
  "LAKE_KEY LAKE_SECRET LAKE_TOKEN SLACK_URL HOOK_SECRET SALT KEY API_KEY API_TOKEN PROXY_PASSWORD WAREHOUSE"
    .split(" ")
    .map((name) => [`MILLRACE_SECRET_${name}`, urls[name] ?? "secret"])
)

/** Does what the blocks of a page say, one after the other, in a folder; what runs in this process is asked for at `here`. */
export const play = async (page: string, folder: string, site: string, here?: string): Promise<void> => {
  const free = new Map(await Promise.all(ports.map(async (port) => [port, String(await freePort())] as const)))
  const read = (file: string) =>
    // At once: a port that was put in may hold the digits of one that is still to come.
    readFileSync(join(root, file), "utf8").replace(/\d+/g, (digits) => free.get(digits) ?? digits)
  const text = read(page)
  prepare(folder, site, here)
  if (page.startsWith("examples/")) copy(dirname(page), folder, read)
  const started: Array<ChildProcess> = []
  let said: string | undefined
  try {
    for (const block of blocksOf(text)) {
      if (block.language === "output" && said !== undefined) {
        const unsaid = unsaidLines(block.text, said)
        if (unsaid.length > 0)
          throw new Error(`${page}:${block.line} shows what is not printed:\n${unsaid.join("\n")}\n--\n${said}`)
        continue
      }
      said = undefined
      if (block.language === "sh") {
        const ran = await shell(folder, block, `${page}:${block.line}`)
        started.push(ran.child)
        said = ran.said
      } else if (block.language === "sql") await select(folder, block, `${page}:${block.line}`)
      else save(folder, block, site)
    }
  } finally {
    await Promise.all(started.map(stop))
  }
}

/** A pipeline file of a block: what it leaves out is not what the page is about. */
export const asPipeline = (text: string): string => {
  const file = parse(text)
  const rest = {
    ...(file.source === undefined ? { source: { type: "crawl", url: "https://docs.example.com" } } : {}),
    ...(file.sinks === undefined ? { sinks: { warehouse: { type: "duckdb", path: "./warehouse.duckdb" } } } : {})
  }
  return Object.keys(rest).length === 0 ? text : `${text}${stringify(rest)}`
}

const prepare = (folder: string, site: string, here: string | undefined): void => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  mkdirSync(join(folder, "bin"))
  const resolved = hosts.map((host) => `--resolve '${host}=${site}'`).join(" ")
  writeFileSync(
    join(folder, "bin/millrace"),
    `#!/bin/bash
resolved=
case "$1 $2" in
  "schedule export") ;;
  ${reaching.map((name) => `"${name} "*`).join("|")}) resolved="${resolved}" ;;
esac
eval set -- '"\${@//https:\\/\\//http://}"' $resolved
${here === undefined ? "" : inThisProcess(here)}
exec '${command}' "$@"
`
  )
  chmodSync(join(folder, "bin/millrace"), 0o755)
}

/** For commands that read nothing, and end by themselves. */
const inThisProcess = (here: string): string => `
case "$1" in
  ${ofTheirOwn.join("|")}) ;;
  *) if [ /dev/stdin -ef /dev/null ]; then ${asking(here)}
     fi ;;
esac`

/** The files of an example. */
const copy = (example: string, folder: string, read: (file: string) => string): void => {
  for (const entry of readdirSync(join(root, example), { recursive: true, withFileTypes: true })) {
    const file = relative(root, join(entry.parentPath, entry.name))
    if (!entry.isFile() || !isTracked(file)) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), read(file))
  }
}

/** What an example makes when it runs is not a part of it. */
const isTracked = (file: string): boolean => !/\.millrace\/|\/(?:lake|service)\/|\.duckdb$|\/out\.jsonl$/.test(file)

/** The name in the first line of a block: `# docs.yaml`, `// read.mjs`, `<!-- page.html -->`, `-- docs.duckdb`. */
const nameOf = ({ text }: Block): string | undefined => /^(?:#|\/\/|--|<!--) ([\w./-]+\.\w+)/.exec(text)?.[1]

const save = (folder: string, block: Block, site: string): void => {
  const name = nameOf(block)
  if (name === undefined) return
  const text = block.language === "yaml" ? asPipeline(block.text) : block.text
  const own = hosts.reduce((now, host) => now.replaceAll(`https://${host}`, `http://${host}`), text)
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), block.language === "ts" ? importsOfSources(withSite(own, site), root) : own)
}

/** TypeScript that reads the web has no flags. */
const withSite = (text: string, site: string): string => {
  const [address = "", port = ""] = site.split(":")
  const resolved = hosts.map((host) => `["${host}", { address: "${address}", port: ${port} }]`).join()
  const flags = hosts.map((host) => `"${host}=${site}"`).join()
  return text
    .replaceAll("(ServiceConfig.defaults", `({ ...ServiceConfig.defaults, resolve: new Map([${resolved}]) }`)
    .replaceAll("await run(pipeline)", `await run(pipeline, { resolve: [${flags}], allowPrivate: true })`)
}

/**
 * Runs a block as bash does; what it leaves in the background goes on, and has said something. Lines for npm are left out: they
 * install this checkout, which CI does.
 */
const shell = async (
  folder: string,
  block: Block,
  place: string
): Promise<{ readonly child: ChildProcess; readonly said: string }> => {
  const text = block.text.replaceAll(/^npm .*\n/gm, "")
  const child = spawn("bash", ["-e", "-c", `${text}\necho ${atEnd}`], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...secrets,
      NO_COLOR: "1",
      PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)
    }
  })
  let said = ""
  let [speak, end] = [() => {}, () => {}]
  const spoken = new Promise<void>((done) => void (speak = done))
  const ended = new Promise<void>((done) => void (end = done))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += chunk
      if (said.replace(atEnd, "").trim() !== "") speak()
      if (said.includes(atEnd)) end()
    })
  }
  const code = await new Promise<number | null>((done) => child.on("exit", done))
  if (code !== 0) throw new Error(`${place} ends with exit code ${code}\n${text}\n${said}`)
  if (/&\s*$/.test(text)) await spoken
  await ended
  return { child, said: said.replace(atEnd, "") }
}

/** What the shell says when it has done all: what it has left in the background keeps its streams open. */
const atEnd = "--the block has ended--"

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (child.stdout?.closed === true && child.stderr?.closed === true) return done()
    child.on("close", () => done())
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM")
    } catch {
      // The group has ended by itself, and `close` comes.
    }
  })

const select = async (folder: string, block: Block, place: string): Promise<void> => {
  const name = nameOf(block)
  const isScript = name?.endsWith(".sql") === true
  const first = isScript ? `${readFileSync(join(folder, name), "utf8")};\n` : ""
  const sql = `SET file_search_path = '${folder}';\n${first}${block.text}`
  const rows = await query(name === undefined || isScript ? ":memory:" : join(folder, name), sql).catch(
    (cause: unknown) => {
      throw new Error(`${place} is refused: ${String(cause)}`)
    }
  )
  if (rows.length === 0) throw new Error(`${place} finds no row`)
}

/** The system gives ports above these to whoever asks for any, so that nobody takes one before its page does. */
let nextPort = 15_000 + Math.floor(Math.random() * 15_000)

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const port = nextPort++
    const server = createServer()
    server.once("error", () => done(freePort()))
    server.listen(port, "127.0.0.1", () => server.close(() => done(port)))
  })
