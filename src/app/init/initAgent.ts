/**
 * The work behind `millrace init --agent`: adds `millrace mcp` to the configuration files of MCP clients.
 *
 * It adds one entry to each file, and changes nothing else. If one of the files cannot be read, or has an entry of this name
 * that differs, no file is changed.
 */
import { access, mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { jsonOf } from "#base/readableText"
import { failed, notWritten, wrong } from "#see/CliFailure"
import { ownCommand } from "#see/packageFolder"

interface Client {
  readonly name: string
  readonly path: string
  /** Undefined: the file is TOML. */
  readonly key: "mcpServers" | "servers" | undefined
  readonly more?: { readonly type: "stdio" }
}

const clients = {
  claude: { name: "Claude Code", path: ".mcp.json", key: "mcpServers", more: { type: "stdio" } },
  cursor: { name: "Cursor", path: ".cursor/mcp.json", key: "mcpServers" },
  vscode: { name: "VS Code", path: ".vscode/mcp.json", key: "servers", more: { type: "stdio" } },
  codex: { name: "Codex", path: ".codex/config.toml", key: undefined },
  gemini: { name: "Gemini CLI", path: ".gemini/settings.json", key: "mcpServers" }
} as const satisfies Readonly<Record<string, Client>>

type ClientName = keyof typeof clients

interface Options {
  /** A pipeline that agents may run. It is left out if the user did not name it and it does not exist. */
  readonly file: string
  readonly isDefault: boolean
  /** Empty: all. */
  readonly clients: ReadonlyArray<ClientName>
  /** Whether an entry of this name that differs may be replaced. */
  readonly force: boolean
}

export const initAgent = Effect.fn("initAgent")(function* ({ clients: named, file, force, isDefault }: Options) {
  const isThere = yield* Effect.promise(() =>
    access(file).then(
      () => true,
      () => false
    )
  )
  if (!isThere && !isDefault) return yield* wrong(`${file}: there is no such file; millrace init ${file} writes one`)
  const [command, ...first] = ownCommand()
  // The path is absolute, because a client may start the command in any folder.
  const args = [...first, "mcp", ...(isThere ? [resolve(file)] : [])]
  const chosen: ReadonlyArray<Client> =
    named.length === 0 ? Object.values(clients) : [...new Set(named)].map((name) => clients[name])
  const edits = yield* Effect.forEach(chosen, (client) => edited(client, { command, args }, force))
  const problems = edits.flatMap(({ edit, path }) => (edit._tag === "Refused" ? [`${path}: ${edit.why}`] : []))
  if (problems.length > 0) return yield* wrong(`nothing was written\n${problems.join("\n")}`)
  for (const { client, edit, path } of edits) {
    if (edit._tag === "Changed") yield* write(path, edit.text)
    process.stdout.write(`${edit._tag === "Changed" ? "wrote" : "unchanged:"} ${path} (${client.name})\n`)
  }
  process.stdout.write(`these clients start: ${[command, ...args].join(" ")}\n`)
})

const edited = Effect.fnUntraced(function* (client: Client, start: Start, force: boolean) {
  const { key, more = {}, path } = client
  const text = yield* Effect.tryPromise({
    try: () =>
      readFile(path, "utf8").catch((cause: unknown) => {
        if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
        throw cause
      }),
    catch: (cause) => failed(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  const edit =
    key === undefined ? withTomlEntry(text, start) : withJsonEntry(text, { key, entry: { ...more, ...start }, force })
  return { client, path, edit }
})

const write = (path: string, text: string) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    },
    catch: (cause) => notWritten(path, cause)
  })

/**
 * The configuration file of an MCP client, with one more MCP server.
 *
 * Guarantee: everything else in the file stays. So a file whose comments would be lost is refused, with the text to add by hand.
 */

/** The command that starts the server. */
interface Start {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

type Edit =
  | { readonly _tag: "Changed"; readonly text: string }
  | { readonly _tag: "Same" }
  | { readonly _tag: "Refused"; readonly why: string }

interface JsonEntry {
  /** The key of the file that has the servers. */
  readonly key: string
  readonly entry: object
  readonly force: boolean
}

/** `text`: the content of the file; undefined: the file does not exist. */
const withJsonEntry = (text: string | undefined, { entry, force, key }: JsonEntry): Edit => {
  const byHand = `add this to ${key}: "millrace": ${JSON.stringify(entry)}`
  const file = text === undefined || text.trim() === "" ? {} : jsonOf(text)
  if (!isMap(file)) return { _tag: "Refused", why: `it is not a JSON object (it may have comments); ${byHand}` }
  const servers = file[key] ?? {}
  if (!isMap(servers)) return { _tag: "Refused", why: `${key} is not a JSON object; ${byHand}` }
  const before = servers["millrace"]
  if (JSON.stringify(before) === JSON.stringify(entry)) return { _tag: "Same" }
  if (before !== undefined && !force) {
    return {
      _tag: "Refused",
      why: "it already has an entry millrace, which differs; remove it, or replace it with --force"
    }
  }
  const indent = /^[ \t]+(?=")/m.exec(text ?? "")?.[0] ?? "  "
  const after = { ...file, [key]: { ...servers, millrace: entry } }
  return { _tag: "Changed", text: `${JSON.stringify(after, undefined, indent)}\n` }
}

/** The entry is a table at the end of the file, so the text before it does not change. */
const withTomlEntry = (text: string | undefined, { args, command }: Start): Edit => {
  const table = `[mcp_servers.millrace]\ncommand = ${tomlOf(command)}\nargs = [${args.map(tomlOf).join(", ")}]\n`
  const before = text ?? ""
  if (before.replaceAll("\r\n", "\n").includes(table)) return { _tag: "Same" }
  if (/^\s*\[\s*mcp_servers\s*\.\s*["']?millrace["']?\s*[.\]]/m.test(before)) {
    return {
      _tag: "Refused",
      why: `it already has a table mcp_servers.millrace, which differs; remove it and run this again, or replace it by hand with:\n${table}`
    }
  }
  if (/^\s*["']?mcp_servers["']?\s*[=.]/m.test(before)) {
    return { _tag: "Refused", why: `mcp_servers is not written as tables; add this by hand:\n${table}` }
  }
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n"
  return { _tag: "Changed", text: `${before}${gap}${table}` }
}

/** A basic string of TOML is escaped as one of JSON, and takes no DEL. */
const tomlOf = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f")

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
