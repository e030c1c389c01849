/** A difference as short as it gets: the sequence without the runs, rows, columns and sinks that it does not need, in words. */
import { inspect } from "node:util"
import { isLegal, type Sequence, type Step } from "./draw.ts"
import type { Difference } from "./play.ts"
import { sqlOf } from "./values.ts"

type Play = (sequence: Sequence) => Promise<Difference | undefined>

/** How many shorter sequences are tried. */
const most = 150

export const shrink = async (sequence: Sequence, difference: Difference, play: Play): Promise<string> => {
  let [shortest, found, tries] = [sequence, difference, 0]
  for (let isShorter = true; isShorter && tries < most; ) {
    isShorter = false
    for (const shorter of shorterOnes(shortest)) {
      if (tries >= most || isShorter || !isLegal(shorter)) continue
      tries++
      const still = await play(shorter)
      if (still === undefined || still.what !== difference.what) continue
      ;[shortest, found, isShorter] = [shorter, still, true]
    }
  }
  return inWords(shortest, found)
}

const without = <A>(some: ReadonlyArray<A>, at: number): ReadonlyArray<A> => some.filter((_, index) => index !== at)

function* shorterOnes(sequence: Sequence): Generator<Sequence> {
  const { places, steps } = sequence
  for (const at of steps.keys()) yield { ...sequence, steps: without(steps, at) }
  if (places.length > 1) for (const at of places.keys()) yield { ...sequence, places: without(places, at) }
  const within = (at: number, step: Step): Sequence => ({
    ...sequence,
    steps: steps.map((one, index) => (index === at ? step : one))
  })
  for (const [at, step] of steps.entries()) {
    if (step.killAt !== undefined) yield within(at, { ...step, killAt: undefined })
    if (step.parts !== undefined) yield within(at, { ...step, parts: undefined })
    for (const row of step.rows.keys()) yield within(at, { ...step, rows: without(step.rows, row) })
  }
  const names = new Set(steps.flatMap(({ rows }) => rows.flat().map(([name]) => name)))
  for (const name of names) {
    if (sequence.table.key.includes(name)) continue
    yield {
      ...sequence,
      steps: steps.map((step) => ({
        ...step,
        types: step.types?.filter((column) => column.name !== name),
        rows: step.rows.map((row) => row.filter(([own]) => own !== name))
      }))
    }
  }
}

const inWords = (
  { isTogether, places, seed, steps, table }: Sequence,
  { expected, found, sink, step, what }: Difference
): string =>
  [
    `MILLRACE_SEED=${seed}: after run ${step}, ${what} of ${sink} differ`,
    `table: ${inspect(table, { breakLength: Infinity })}; sinks${isTogether ? " of one pipeline" : ", each of its own pipeline"}: ${places.map(({ closes, name, write }) => `${name} ${write}${closes ? " (removed: close)" : ""}`).join(", ")}`,
    ...steps.flatMap((one, at) => [
      `run ${at}: ${[one.iterates, one.types?.map(({ name, type }) => `${name} ${sqlOf(type)}`).join(", "), one.parts && inspect(one.parts), one.killAt === undefined ? undefined : `killed at ${one.killAt}${one.isAgain ? ", and again" : ""}`, one.once && `once: ${one.once}`].filter((part) => part !== undefined).join("; ")}`,
      ...one.rows.map((row) => `  ${inspect(Object.fromEntries(row), { breakLength: Infinity, depth: 6 })}`)
    ]),
    `expected: ${inspect(expected, { breakLength: 120, maxStringLength: 2000 })}`,
    `found: ${inspect(found, { breakLength: 120, maxStringLength: 2000 })}`
  ].join("\n")
