/**
 * The configuration file of an MCP client, with one more MCP server.
 *
 * Guarantee: everything else in the file stays. So a file whose comments would be lost is refused, with the text to add by hand.
 */

/** The command that starts the server. */
export interface Start {
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
export const withJsonEntry = (text: string | undefined, { entry, force, key }: JsonEntry): Edit => {
  const byHand = `add this to ${key}: "millrace": ${JSON.stringify(entry)}`
  const file = text === undefined || text.trim() === "" ? {} : parsed(text)
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
export const withTomlEntry = (text: string | undefined, { args, command }: Start): Edit => {
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
