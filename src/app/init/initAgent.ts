/**
 * The work behind `millrace init --agent`: adds `millrace mcp` to the configuration files of MCP clients.
 *
 * It adds one entry to each file, and changes nothing else. If one of the files cannot be read, or has an entry of this name
 * that differs, no file is changed.
 */
import { access, mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { failed, wrong } from "#see/CliFailure"
import { ownCommand } from "#see/packageFolder"
import { notWritten } from "#see/systemFailure"
import * as configFile from "./configFile.ts"

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

export type ClientName = keyof typeof clients

export interface Options {
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

const edited = Effect.fnUntraced(function* (client: Client, start: configFile.Start, force: boolean) {
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
    key === undefined
      ? configFile.withTomlEntry(text, start)
      : configFile.withJsonEntry(text, { key, entry: { ...more, ...start }, force })
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
