/** The official client of the Model Context Protocol, on the real command line and on a real server. */
import { resolve } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { inject } from "vitest"

export interface Told {
  readonly texts: ReadonlyArray<string>
  readonly isError: boolean
}

export interface Agent {
  readonly client: Client
  readonly tell: (name: string, given: Record<string, unknown>, options?: Options) => Promise<Told>
}

interface Options {
  readonly onprogress?: (progress: { readonly progress: number; readonly total?: number | undefined }) => void
  readonly signal?: AbortSignal
}

/** `args`: after `millrace mcp`. */
export const overStdio = async (folder: string, args: ReadonlyArray<string>, use: (agent: Agent) => Promise<void>) => {
  const command = inject("command") ?? resolve(import.meta.dirname, "../../../bin/millrace")
  await used(new StdioClientTransport({ command, args: ["mcp", ...args], cwd: folder, stderr: "ignore" }), use)
}

export const overHttp = async (base: string, key: string | undefined, use: (agent: Agent) => Promise<void>) => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  await used(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }), use)
}

const used = async (
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  use: (agent: Agent) => Promise<void>
) => {
  const client = new Client({ name: "test", version: "1" })
  await client.connect(transport)
  try {
    await use({
      client,
      tell: async (name, given, options) => {
        const result = await client.callTool({ name, arguments: given }, undefined, { timeout: 120_000, ...options })
        const content: ReadonlyArray<{ readonly text?: string }> = Array.isArray(result.content) ? result.content : []
        return { texts: content.map(({ text }) => text ?? ""), isError: result.isError === true }
      }
    })
  } finally {
    await client.close()
  }
}
