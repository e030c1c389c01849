import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { describe, expect, it } from "vitest"
import { inFolder, millrace, write } from "../millrace.ts"

const files = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".codex/config.toml", ".gemini/settings.json"]
const jsonIn = (folder: string, path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"))

const put = (folder: string, path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The tools that a client finds which starts what is written, in a folder of its own choice. */
const toolsOf = async ({ args, command }: { readonly command: string; readonly args: Array<string> }) => {
  const client = new Client({ name: "test", version: "1" })
  await client.connect(new StdioClientTransport({ command, args, cwd: "/", stderr: "ignore" }))
  try {
    return (await client.listTools()).tools.map(({ name }) => name)
  } finally {
    await client.close()
  }
}

describe("millrace init --agent", () => {
  it("writes for each client a command that starts, with the pipeline that is there", async () => {
    await inFolder(async (folder) => {
      write(
        folder,
        "shop.yaml",
        "source: { type: crawl, url: 'http://site.test/' }",
        "table: { name: pages, key: url }"
      )
      const { code, stdout } = await millrace(folder, "init", "--agent", "shop.yaml")
      const { mcpServers } = jsonIn(folder, ".mcp.json")
      const toml = readFileSync(join(folder, ".codex/config.toml"), "utf8")
      const names = await toolsOf(mcpServers.millrace)

      expect(code).toBe(0)
      expect(stdout.match(/^wrote \S+/gm)).toEqual(files.map((path) => `wrote ${path}`))
      expect(names).toEqual(expect.arrayContaining(["firecrawl_scrape", "millrace_run"]))
      const { args, command } = mcpServers.millrace
      expect(jsonIn(folder, ".cursor/mcp.json")).toEqual({ mcpServers: { millrace: { command, args } } })
      expect(jsonIn(folder, ".vscode/mcp.json")).toEqual({ servers: { millrace: { type: "stdio", command, args } } })
      expect(jsonIn(folder, ".gemini/settings.json")).toEqual({ mcpServers: { millrace: { command, args } } })
      expect(toml).toBe(
        `[mcp_servers.millrace]\ncommand = "${command}"\nargs = [${args.map((arg: string) => `"${arg}"`).join(", ")}]\n`
      )
    })
  })

  it("keeps what stands in the files, and writes nothing a second time", async () => {
    await inFolder(async (folder) => {
      put(
        folder,
        ".gemini/settings.json",
        '{\n    "theme": "dark",\n    "mcpServers": { "other": { "url": "x" } }\n}\n'
      )
      put(folder, ".codex/config.toml", '# mine\nmodel = "o"\n[mcp_servers.other]\ncommand = "x"')
      const clients = ["--client", "gemini", "--client", "codex"]
      const first = await millrace(folder, "init", "--agent", ...clients)
      const settings = readFileSync(join(folder, ".gemini/settings.json"), "utf8")
      const toml = readFileSync(join(folder, ".codex/config.toml"), "utf8")
      const again = await millrace(folder, "init", "--agent", ...clients)

      expect([first.code, again.code]).toEqual([0, 0])
      expect(again.stdout).toMatch(/unchanged: \.gemini[^]*unchanged: \.codex/)
      expect(JSON.parse(settings)).toMatchObject({ theme: "dark", mcpServers: { other: { url: "x" } } })
      expect(settings).toMatch(/^ {4}"theme"/m)
      expect(toml).toMatch(/^# mine\nmodel = "o"\n\[mcp_servers\.other\]\ncommand = "x"\n\n\[mcp_servers\.millrace\]\n/)
      expect([settings, toml]).toEqual([
        readFileSync(join(folder, ".gemini/settings.json"), "utf8"),
        readFileSync(join(folder, ".codex/config.toml"), "utf8")
      ])
      expect(existsSync(join(folder, ".mcp.json"))).toBe(false)
    })
  })

  it("writes nothing at all where one file is not readable JSON or has another entry", async () => {
    await inFolder(async (folder) => {
      const commented = '{ // mine\n  "servers": {} }\n'
      put(folder, ".vscode/mcp.json", commented)
      put(folder, ".cursor/mcp.json", '{ "mcpServers": { "millrace": { "command": "old" } } }')
      put(folder, ".codex/config.toml", '[mcp_servers.millrace]\ncommand = "old"\n')
      const { code, stderr } = await millrace(folder, "init", "--agent")

      expect(code).toBe(2)
      expect(stderr).toContain("nothing was written")
      expect(stderr).toContain(".vscode/mcp.json: it is not a JSON object (it may have comments); add this to servers")
      expect(stderr).toContain(
        ".cursor/mcp.json: it already has an entry millrace, which differs; remove it, or replace it with --force"
      )
      expect(stderr).toContain(".codex/config.toml: it already has a table mcp_servers.millrace, which differs")
      expect(readFileSync(join(folder, ".vscode/mcp.json"), "utf8")).toBe(commented)
      expect(existsSync(join(folder, ".mcp.json"))).toBe(false)
    })
  })

  it("replaces another entry with --force", async () => {
    await inFolder(async (folder) => {
      put(folder, ".cursor/mcp.json", '{ "mcpServers": { "millrace": { "command": "old" }, "a": {} } }')
      const { code } = await millrace(folder, "init", "--agent", "--client", "cursor", "--force")
      const { mcpServers } = jsonIn(folder, ".cursor/mcp.json")

      expect(code).toBe(0)
      expect(Object.keys(mcpServers)).toEqual(["millrace", "a"])
      expect(mcpServers.millrace.args).toEqual(["mcp"])
    })
  })

  it("refuses a pipeline that does not exist", async () => {
    await inFolder(async (folder) => {
      const { code, stderr } = await millrace(folder, "init", "--agent", "no.yaml")

      expect([code, stderr]).toEqual([2, "no.yaml: there is no such file; millrace init no.yaml writes one\n"])
    })
  })
})
