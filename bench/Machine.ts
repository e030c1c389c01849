/**
 * The machine that the bench runs on, and which of its cores are whose.
 *
 * Contestants have the last cores for themselves, one or two of them; the bench and what `prepare` starts stay on the
 * others, as long as the machine has more than two.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { availableParallelism, cpus, release, totalmem } from "node:os"
import { join } from "node:path"

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGB: number
  readonly kernel: string
  /** What ran where, as a sentence. */
  readonly pinned: string
}

const cores = availableParallelism()
const canPin = ((): boolean => {
  try {
    execFileSync("taskset", ["-V"])
    return true
  } catch {
    return false
  }
})()
const isApart = canPin && cores > 2

/** As `taskset -c` takes them. */
export const coresOf = (wanted: 1 | 2): string | undefined => {
  if (!canPin) return undefined
  return wanted === 1 || cores === 1 ? String(cores - 1) : `${cores - 2},${cores - 1}`
}

/** This process, and so all that it starts, leaves the contestants' cores. */
export const stepAside = (): void => {
  if (isApart) execFileSync("taskset", ["-a", "-p", "-c", `0-${cores - 3}`, String(process.pid)])
}

export const machine = (): Machine => ({
  processor: cpus()[0]?.model.trim() ?? "unknown",
  cores,
  memoryGB: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  pinned: isApart
    ? `contestants on cores ${coresOf(2)} (those of one core on ${coresOf(1)}), sites and the bench itself on 0-${cores - 3}`
    : canPin
      ? "the machine has no more than two cores: contestants share them with the sites that they crawl"
      : "there is no taskset: nothing is held to its cores, and figures of one core are of all"
})

/** Which versions took part: Node, Millrace's commit, the packages of bench/, and what the system has. */
export const versions = (root: string): Readonly<Record<string, string>> => {
  const said = (command: string, ...words: ReadonlyArray<string>) => {
    try {
      return execFileSync(command, words, { cwd: root, stdio: ["ignore", "pipe", "ignore"] })
        .toString()
        .split("\n")[0]
    } catch {
      return undefined
    }
  }
  const { dependencies } = JSON.parse(readFileSync(join(root, "bench/package.json"), "utf8"))
  const installed = Object.keys(dependencies).flatMap((name) => {
    const file = join(root, "bench/node_modules", name, "package.json")
    return existsSync(file) ? [[name, String(JSON.parse(readFileSync(file, "utf8")).version)]] : []
  })
  const commit = said("git", "rev-parse", "--short", "HEAD")
  const changed = said("git", "status", "--porcelain", "--untracked-files=no", "src", "connectors", "bin") !== ""
  const scrapy = said("/usr/bin/python3", "-c", "import scrapy; print(scrapy.__version__)")
  const wget = /Wget (\S+)/.exec(said("wget", "--version") ?? "")?.[1]
  return {
    millrace: `${commit ?? "no commit"}${changed ? ", changed" : ""}`,
    node: process.version,
    ...Object.fromEntries(installed),
    ...(scrapy === undefined ? {} : { scrapy }),
    ...(wget === undefined ? {} : { wget })
  }
}
