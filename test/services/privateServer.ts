/**
 * A server of its own for one test file: a script of this folder that prints a URL, and is gone when its standard input
 * ends, however this process ends. Where it cannot be had, one loud line says so.
 */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { afterAll } from "vitest"

export const privateServer = async (script: string, name: string): Promise<string | undefined> => {
  const server = spawn(`${import.meta.dirname}/${script}`, ["serve"], { stdio: ["pipe", "pipe", "pipe"] })
  const ended = new Promise((done) => server.on("close", done))
  const problem = text(server.stderr)
  const first = new Promise<string>((done) => server.stdout.once("data", (line) => done(String(line).trim())))
  const url = await Promise.race([first, ended.then(() => undefined)])
  if (url === undefined) {
    process.stderr.write(`TESTS ON ${name} ARE SKIPPED: ${(await problem).trim()}\n`)
    return undefined
  }
  afterAll(async () => {
    server.stdin.end()
    await ended
  })
  return url
}
