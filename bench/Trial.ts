/**
 * A work under way: its rounds are run one by one, whenever they are due, and at its end there is what it gave.
 *
 * What contestants need is prepared before the first round and stopped after the last; a contestant that fails or is not
 * there is reported as such and keeps nobody from running. An interrupted round fails, whoever was on.
 */
import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Claim, Contestant, Prepared, Told, Work } from "./Claim.ts"
import * as Machine from "./Machine.ts"
import { measure } from "./measure.ts"
import * as Result from "./Result.ts"

const root = resolve(import.meta.dirname, "..")

export interface Trial {
  readonly claim: Claim
  readonly rounds: number
  /** One round of all contestants, the one at `at` from 0, which begins with another than the one before. */
  readonly round: (at: number) => Promise<void>
  /** Stops what was prepared. */
  readonly end: () => Promise<Result.WorkResult>
}

export interface Options {
  readonly interrupted: AbortSignal
  /** Leaves out who is slow. */
  readonly quick: boolean
  readonly rounds: number
  /** Called with what happens, line by line. */
  readonly say: (line: string) => void
}

export const make = (claim: Claim, work: Work, { interrupted, quick, rounds, say }: Options): Trial => {
  const missing = work.missing?.()
  const reasons = new Map<Contestant, string>()
  for (const each of work.contestants) {
    const reason = missing ?? each.missing?.() ?? (quick && each.slow ? "left out by --quick" : undefined)
    if (reason !== undefined) reasons.set(each, reason)
  }
  const present = work.contestants.filter((each) => !reasons.has(each))
  const measured = new Map<Contestant, Array<Result.Round>>(present.map((each) => [each, []]))
  let prepared: Prepared | undefined

  const prepare = async () => {
    try {
      prepared = await work.prepare?.()
    } catch (error) {
      for (const each of present) reasons.set(each, `what it needs could not be prepared: ${reasonOf(error)}`)
      say(`  could not be prepared: ${reasonOf(error)}`)
    }
  }
  const turns = async (name: string, who: ReadonlyArray<Contestant>, keep: boolean) => {
    say(`\n${claim.name}: ${work.name}, ${name}`)
    const turn = async (contestant: Contestant) => {
      if (reasons.has(contestant)) return
      try {
        const runs: Array<Result.Round> = []
        while (runs.length < (keep ? (contestant.often ?? 1) : 1))
          runs.push(await once(contestant, prepared?.values ?? {}, interrupted))
        const mean = Result.meanOf(runs)
        if (keep) measured.get(contestant)?.push(mean)
        say(`  ${contestant.name}: ${lineOf(mean, work)}`)
      } catch (error) {
        interrupted.throwIfAborted()
        reasons.set(contestant, `failed: ${reasonOf(error)}`)
        say(`  ${contestant.name} failed: ${reasonOf(error)}`)
      }
    }
    if (work.isUntimed !== true) {
      for (const contestant of who) await turn(contestant)
      return
    }
    // An interrupted one fails when its folder is gone: so all are waited for, not the first to fail.
    await Promise.allSettled(who.map(turn))
    interrupted.throwIfAborted()
  }
  return {
    claim,
    rounds,
    round: async (at) => {
      if (present.length === 0) {
        const why = [...new Set(reasons.values())].join("; ")
        if (at === 0) say(`\n${claim.name}: ${work.name} cannot be done here: ${why}`)
        return
      }
      interrupted.throwIfAborted()
      if (at === 0) {
        await prepare()
        if (work.isLong !== true && work.coolsDown !== true) await turns("warm-up", present, false)
      }
      const first = at % present.length
      const ordered = [...present.slice(first), ...present.slice(0, first)]
      if (work.coolsDown === true) await turns("warm-up", ordered.slice(0, 1), false)
      await turns(`round ${at + 1} of ${rounds}`, ordered, true)
    },
    end: async () => {
      await prepared?.stop()
      return {
        name: work.name,
        units: work.units,
        per: Result.perOf(work),
        plot: work.plot ?? "bars",
        shown: work.shown ?? "cpu",
        ...(work.isUntimed === true ? { isUntimed: true } : {}),
        ...(missing === undefined ? {} : { missing }),
        standings: work.contestants.map((each) =>
          Result.standing(work, each, measured.get(each) ?? [], reasons.get(each))
        )
      }
    }
  }
}

/** Where Linux keeps files in memory. */
const memoryFolder = "/dev/shm"

/** One run of a contestant, in a folder of its own. */
const once = async (
  contestant: Contestant,
  values: Readonly<Record<string, string>>,
  interrupted: AbortSignal
): Promise<Result.Round> => {
  const parent = contestant.inMemory === true && existsSync(memoryFolder) ? memoryFolder : tmpdir()
  const folder = await Fs.mkdtemp(join(parent, "millrace-bench-"))
  try {
    for (const [name, text] of Object.entries(contestant.files?.(values) ?? {}))
      await Fs.writeFile(join(folder, name), text)
    const command = { folder, env: contestant.env ?? {}, cores: Machine.coresOf(contestant.cores ?? 2), interrupted }
    if (contestant.before !== undefined) await measure({ ...command, words: contestant.before })
    const measured = await measure({ ...command, words: contestant.words(values, folder) })
    return Result.round(measured, await (contestant.read ?? lastLine)(measured.stdout, folder))
  } finally {
    await Fs.rm(folder, { recursive: true, force: true })
  }
}

const lastLine = (stdout: string): Told => JSON.parse(stdout.trim().split("\n").at(-1) ?? "")

const lineOf = ({ count, cpu, figures, rss, wall }: Result.Round, work: Work): string => {
  const per = Result.perOf(work)
  const others = Object.entries(figures).map(([name, value]) => `, ${name} ${Number(value.toPrecision(4))}`)
  const each = `${((cpu / Math.max(count, 1)) * per).toPrecision(3)} CPU s per ${per}`
  return `${count} ${work.units}, ${cpu.toFixed(2)} CPU s (${each}), ${wall.toFixed(2)} s, ${Math.round(rss)} MB${others.join("")}`
}

/** Files of the checkout are named from its root: results are read elsewhere too. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(`${root}/`, "")
