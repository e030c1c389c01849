/**
 * The commands of pages, run in this process: a page starts a hundred of them, and what a process of its own costs is more than
 * what they do. A shell asks by HTTP; the answer is the exit code, and the folder that has the output.
 *
 * What is served, or reads its standard input, is a process of its own (`Folder.ts`), and in a soak everything is.
 */
import { once } from "node:events"
import { mkdtemp, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { completeEnvironment } from "#library/environment"
import { type Around, runHere } from "../app/millrace.ts"

export interface CommandsHere {
  readonly url: string
  readonly stop: () => void
}

export const serve = async (): Promise<CommandsHere> => {
  const server = createServer((request, response) => {
    buffer(request)
      .then(answer)
      .then(
        (text) => response.end(text),
        (cause: unknown) => response.writeHead(500).end(String(cause))
      )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() }
}

/** What a shell runs in place of the command: it asks, waits, shows the output, and ends as the command did. */
export const asking = (url: string): string => `
  answer=$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | curl --silent --show-error --fail --data-binary @- ${url}) || exit 70
  output=\${answer#* }
  cat "$output/stderr" >&2
  cat "$output/stdout"
  rm -r "$output"
  exit "\${answer%% *}"`

const answer = async (body: Buffer): Promise<string> => {
  const [folder = "", count = "", ...rest] = body.toString().split("\0")
  const [args, variables] = [rest.slice(0, Number(count)), rest.slice(Number(count))]
  const { code, stderr, stdout } = await runHere(folder, args, within(variables))
  const output = await mkdtemp(join(tmpdir(), "millrace-said-"))
  await writeFile(join(output, "stdout"), stdout)
  await writeFile(join(output, "stderr"), stderr)
  return `${code} ${output}`
}

/** The environment of the shell, completed as a process of the command line completes its own. */
const within =
  (variables: ReadonlyArray<string>): Around =>
  async (run) => {
    const own = { ...process.env }
    replaceEnvironment(Object.fromEntries(variables.filter((line) => line !== "").map(nameAndValue)))
    try {
      const wrong = completeEnvironment()
      return wrong === undefined ? await run() : { code: 2, stdout: Buffer.alloc(0), stderr: Buffer.from(`${wrong}\n`) }
    } finally {
      replaceEnvironment(own)
    }
  }

const nameAndValue = (line: string): readonly [string, string] => {
  const at = line.indexOf("=")
  return [line.slice(0, at), line.slice(at + 1)]
}

const replaceEnvironment = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  Object.assign(process.env, env)
}
