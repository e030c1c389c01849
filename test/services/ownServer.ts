/**
 * A server of our own for tests: a script of this folder that prints a URL, and is gone when its standard input ends,
 * however this process ends.
 */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"

export interface OwnServer {
  readonly url: string
  /** Resolves when it is gone. */
  readonly stop: () => Promise<void>
}

/** The server, or undefined where it cannot be had: then one loud line says so. */
export const ownServer = async (script: string, name: string): Promise<OwnServer | undefined> => {
  const server = spawn(`${import.meta.dirname}/${script}`, ["serve"], { stdio: ["pipe", "pipe", "pipe"] })
  const ended = new Promise<void>((done) => server.on("close", () => done()))
  const problem = text(server.stderr)
  const first = new Promise<string>((done) => server.stdout.once("data", (line) => done(String(line).trim())))
  const url = await Promise.race([first, ended.then(() => undefined)])
  if (url === undefined) {
    process.stderr.write(`TESTS ON ${name} ARE SKIPPED: ${(await problem).trim()}\n`)
    return undefined
  }
  return {
    url,
    stop: () => {
      server.stdin.end()
      return ended
    }
  }
}
