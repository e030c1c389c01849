/** A site for contestants: a process of its own, which prints its port and is ended when the work is done. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Prepared } from "./Claim.ts"

export const startSite = async (script: string, ...words: ReadonlyArray<string>): Promise<Prepared> => {
  const child = spawn(process.execPath, [script, ...words], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "exit")
  const [said] = await Promise.race([once(child.stdout, "data"), ended.then(() => [""])])
  const port = String(said).trim()
  if (!/^\d+$/.test(port)) throw new Error(`${script} did not say its port but ${JSON.stringify(port)}`)
  return {
    values: { port },
    stop: async () => {
      child.kill("SIGTERM")
      await ended
    }
  }
}
