/**
 * The bench: what is claimed of Millrace, measured beside its peers on this machine, in this run.
 *
 *     npm run bench -- [claim...] [--rounds N] [--quick]
 *     npm run bench -- compare RESULTS RESULTS
 *     npm run bench -- report
 *
 * One round before those that count; then contestants in turn, each round beginning with another (side by side where
 * nothing is timed), and the rounds of each work spread over the whole run (`schedule.ts`). A claim's results are
 * written when its last round is done.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Claim } from "./Claim.ts"
import { compare } from "./compare.ts"
import { install } from "./installed.ts"
import * as Machine from "./Machine.ts"
import * as Result from "./Result.ts"
import { writeReport } from "./report.ts"
import { schedule } from "./schedule.ts"
import * as Trial from "./Trial.ts"

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
  const interrupted = interruption()
  const trials = claims.flatMap((claim) =>
    claim.works.map((work) =>
      Trial.make(claim, work, {
        interrupted,
        quick: values.quick,
        rounds: rounds ?? (values.quick ? 1 : work.rounds),
        say
      })
    )
  )
  const given = new Map<Trial.Trial, Result.WorkResult>()
  const end = async (trial: Trial.Trial) => given.set(trial, await trial.end())
  try {
    for (const { isLast, round, work } of schedule(trials.map((trial) => trial.rounds))) {
      const trial = trials[work]
      await trial?.round(round)
      if (trial === undefined || !isLast) continue
      await end(trial)
      const works = trials.filter(({ claim }) => claim === trial.claim).map((each) => given.get(each))
      if (works.every((each) => each !== undefined)) await write(trial.claim, works, machine, values.quick)
    }
  } finally {
    for (const trial of trials) if (!given.has(trial)) await end(trial)
  }
  say(`\nThe results are in bench/results, and told in bench/README.md`)
}

/** Aborted by the first SIGINT or SIGTERM: the command that is measured is ended, then the servers are, then this is. */
const interruption = (): AbortSignal => {
  const controller = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => controller.abort(new Error(`The bench was interrupted by ${name}`)))
  return controller.signal
}

const write = async (
  { name, title }: Claim,
  works: ReadonlyArray<Result.WorkResult>,
  machine: Machine.Machine,
  quick: boolean
): Promise<void> => {
  const at = new Date().toISOString()
  const result: Result.Result = { claim: name, title, at, quick, machine, versions: Machine.versions(root), works }
  writeFileSync(join(resultFolder, `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`)
  await writeReport(root)
}

/** Those that are asked for, or all. */
const claimsOf = async (names: ReadonlyArray<string>): Promise<ReadonlyArray<Claim>> => {
  const known = readdirSync(claimFolder).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no claim is called ${unknown.join(", ")}; there are ${known.join(", ")}`)
  const wanted = names.length === 0 ? known : names
  return Promise.all(wanted.map(async (name) => (await import(join(claimFolder, `${name}.ts`))).claim))
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

await main()
