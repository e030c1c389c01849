/**
 * What one work costs, in a process of its own: that is how the bench of government search measures.
 *
 * CPU seconds are user + system of all threads, and count from `begin`, as the wall clock does; the peak is the
 * process's own RSS in MB, from its start.
 */
import { spawnSync } from "node:child_process"

export interface Figures {
  readonly cpu: number
  readonly wall: number
  readonly peak: number
}

let cpu = process.cpuUsage()
let began = performance.now()

/** What counts begins now. */
export const begin = (): void => {
  cpu = process.cpuUsage()
  began = performance.now()
}

/** Tells the parent what this process took. */
export const tell = (): void => {
  const { user, system } = process.cpuUsage(cpu)
  const figures: Figures = {
    cpu: (user + system) / 1e6,
    wall: (performance.now() - began) / 1000,
    peak: process.resourceUsage().maxRSS / 1024
  }
  console.log(JSON.stringify(figures))
}

/** What a script tells that is started with these words. */
export const of = (script: string, ...words: ReadonlyArray<string>): Figures => {
  const child = spawnSync(process.execPath, [script, ...words])
  if (child.status !== 0) throw new Error(`${words.join(" ")}: ${child.stderr}`)
  return JSON.parse(child.stdout.toString())
}
