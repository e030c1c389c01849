/**
 * Sequences of runs of one table, drawn by a seed: what each sink holds after each run is what the model says, as other programs
 * read it. A difference is printed as short as it gets, with the seed that repeats it: MILLRACE_SEED=17 begins with seed 17.
 */
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { seed } from "#testing/specimens"
import { databaseUrl } from "../../connectors/postgres/database.ts"
import { soaking, timesOf } from "../../thoroughness.ts"
import { drawSequence, isLegal, type Sequence } from "./draw.ts"
import { disconnect, kinds } from "./places.ts"
import { play } from "./play.ts"
import { shrink } from "./shrink.ts"

const postgres = await databaseUrl()
const sinks = kinds.filter((kind) => kind !== "postgres" || postgres !== undefined)

/** The next sequences of which runs can be made, from a seed on. */
const sequencesFrom = (first: number, count: number): ReadonlyArray<Sequence> => {
  const drawn: Array<Sequence> = []
  for (let at = first; drawn.length < count; at++) drawn.push(...[drawSequence(at, sinks)].filter(isLegal))
  return drawn
}

const played = async (sequence: Sequence) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-sequence-"))
  try {
    return await play(sequence, { folder, postgres, schema: `s${randomUUID().slice(0, 8)}` })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const began = performance.now()
const sequences = sequencesFrom(seed, timesOf(3, 20, 1000))
afterAll(async () => {
  await disconnect()
  const seconds = Math.round((performance.now() - began) / 1000)
  if (soaking) process.stdout.write(`${sequences.length} sequences of runs on ${sinks.join(", ")}: ${seconds} s\n`)
})

it.each(sequences.map((sequence) => [sequence.seed, sequence] as const))(
  "what each sink holds after each run is what the model says, seed %i",
  async (_, sequence) => {
    const difference = await played(sequence)
    if (difference !== undefined) expect.fail(await shrink(sequence, difference, played))
  }
)
