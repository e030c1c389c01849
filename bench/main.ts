/**
 * The bench: what is claimed of Millrace, measured beside its peers on this machine, in this run.
 *
 *     npm run bench -- [claim...] [--rounds N] [--quick]
 *     npm run bench -- compare RESULTS RESULTS
 *     npm run bench -- report
 *
 * The law: one round before those that count; then contestants in turn, each round beginning with another; a contestant that
 * fails or is not there is told as such and keeps nobody from running. Results are written claim by claim.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Claim, Contestant, Prepared, Told, Work } from "./Claim.ts"
import { compare } from "./compare.ts"
import { install } from "./installed.ts"
import * as Machine from "./Machine.ts"
import { measure } from "./measure.ts"
import * as Result from "./Result.ts"
import { writeReport } from "./report.ts"

const root = resolve(import.meta.dirname, "..")
const claimFolder = join(root, "bench/claims")
const resultFolder = join(root, "bench/results")

const main = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: "string" }, quick: { type: "boolean", default: false } }
  })
  if (positionals[0] === "compare") {
    process.exitCode = (await compare(positionals[1], positionals[2])) ? 0 : 1
    return
  }
  if (positionals[0] === "report") return writeReport(root)
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    throw new Error(`--rounds takes a whole number above zero, not ${JSON.stringify(values.rounds)}`)
  }
  const claims = await claimsOf(positionals)
  if (!existsSync(join(root, "bench/node_modules"))) {
    say("The peers from npm are not installed: npm ci --prefix bench installs them. Going on with those that are here.")
  }
  say("Millrace is built, and measured as who installs it has it")
  install()
  Machine.stepAside()
  const machine = Machine.machine()
  say(`${machine.processor}, ${machine.cores} cores, ${machine.memoryGB} GB: ${machine.pinned}`)
  mkdirSync(resultFolder, { recursive: true })
  for (const claim of claims) {
    const works: Array<Result.WorkResult> = []
    for (const work of claim.works)
      works.push(await run(claim, work, rounds ?? (values.quick ? 1 : work.rounds), values.quick))
    const result: Result.Result = {
      claim: claim.name,
      title: claim.title,
      at: new Date().toISOString(),
      quick: values.quick,
      machine,
      versions: Machine.versions(root),
      works
    }
    writeFileSync(join(resultFolder, `${claim.name}.json`), `${JSON.stringify(result, undefined, 2)}\n`)
    await writeReport(root)
  }
  say(`\nThe results are in bench/results, and told in bench/README.md`)
}

/** Those that are asked for, or all. */
const claimsOf = async (names: ReadonlyArray<string>): Promise<ReadonlyArray<Claim>> => {
  const known = readdirSync(claimFolder).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no claim is called ${unknown.join(", ")}; there are ${known.join(", ")}`)
  const wanted = names.length === 0 ? known : names
  return Promise.all(wanted.map(async (name) => (await import(join(claimFolder, `${name}.ts`))).claim))
}

const run = async (claim: Claim, work: Work, rounds: number, quick: boolean): Promise<Result.WorkResult> => {
  say(`\n${claim.name}: ${work.name}`)
  const missing = work.missing?.()
  if (missing !== undefined) say(`  cannot be done here: ${missing}`)
  const reasons = new Map(
    work.contestants.map((each) => [
      each,
      missing ?? each.missing?.() ?? (quick && each.slow ? "left out by --quick" : undefined)
    ])
  )
  const measured = new Map<Contestant, Array<Result.Round>>(work.contestants.map((each) => [each, []]))
  const present = work.contestants.filter((each) => reasons.get(each) === undefined)
  let prepared: Prepared | undefined
  try {
    if (present.length > 0) prepared = await work.prepare?.()
    for (let round = work.isLong === true ? 0 : -1; round < rounds; round++) {
      const first = Math.max(round, 0) % Math.max(present.length, 1)
      for (const contestant of [...present.slice(first), ...present.slice(0, first)]) {
        if (reasons.get(contestant) !== undefined) continue
        try {
          const turns: Array<Result.Round> = []
          while (turns.length < (contestant.often ?? 1)) turns.push(await once(contestant, prepared?.values ?? {}))
          const figures = Result.meanOf(turns)
          if (round >= 0) measured.get(contestant)?.push(figures)
          say(`  ${round < 0 ? "warm-up" : `round ${round + 1}`}  ${contestant.name}: ${lineOf(figures, work)}`)
        } catch (error) {
          reasons.set(contestant, `failed: ${reasonOf(error)}`)
          say(`  ${contestant.name} failed: ${reasonOf(error)}`)
        }
      }
    }
  } catch (error) {
    for (const each of present) reasons.set(each, `what it needs could not be prepared: ${reasonOf(error)}`)
    say(`  could not be prepared: ${reasonOf(error)}`)
  } finally {
    await prepared?.stop()
  }
  const standings = work.contestants.map((each) =>
    Result.standing(work, each, measured.get(each) ?? [], reasons.get(each))
  )
  return {
    name: work.name,
    units: work.units,
    per: Result.perOf(work),
    plot: work.plot ?? "bars",
    shown: work.shown ?? "cpu",
    ...(work.isUntimed === true ? { isUntimed: true } : {}),
    ...(missing === undefined ? {} : { missing }),
    standings
  }
}

/** Where Linux keeps files in memory. */
const memoryFolder = "/dev/shm"

/** One run of a contestant, in a folder of its own. */
const once = async (contestant: Contestant, values: Readonly<Record<string, string>>): Promise<Result.Round> => {
  const parent = contestant.inMemory === true && existsSync(memoryFolder) ? memoryFolder : tmpdir()
  const folder = await Fs.mkdtemp(join(parent, "millrace-bench-"))
  try {
    for (const [name, text] of Object.entries(contestant.files?.(values) ?? {}))
      await Fs.writeFile(join(folder, name), text)
    const measured = await measure({
      words: contestant.words(values, folder),
      folder,
      env: contestant.env ?? {},
      cores: Machine.coresOf(contestant.cores ?? 2)
    })
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

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const say = (text: string): void => void process.stdout.write(`${text}\n`)

await main()
