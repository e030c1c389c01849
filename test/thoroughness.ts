/**
 * How thorough a run of the tests is.
 *
 * `npm test` runs every law, and of laws with many cases a sample that its seed draws. `npm run test:full`, and one file by
 * `npx vitest run FILE`, run all cases. `npm run test:soak` runs whole campaigns of kills and random cases, with a new seed,
 * which it prints and MILLRACE_SEED repeats.
 */
import { createHash } from "node:crypto"

export const soaking = process.env["MILLRACE_SOAK"] !== undefined

/** Whether a law runs on a sample of its cases. */
const sampling = !soaking && process.env["npm_lifecycle_event"] === "test"

const seed = process.env["MILLRACE_SEED"] ?? "1"

/** How often: on each commit, and in the whole campaign. */
export const times = (onCommit: number, whole: number): number => (soaking ? whole : onCommit)

/** How often: in a sample, with all cases, and in the whole campaign. */
export const timesOf = (sample: number, full: number, whole: number): number => (sampling ? sample : times(full, whole))

/** Some of these cases in a sample, drawn by the seed, in their order; otherwise all. `nameOf`: what tells them apart. */
export const sampleOf = <A>(cases: ReadonlyArray<A>, count: number, nameOf: (one: A) => string): ReadonlyArray<A> => {
  if (!sampling || cases.length <= count) return cases
  const rank = (one: A) =>
    createHash("sha256")
      .update(`${seed} ${nameOf(one)}`)
      .digest("hex")
  const drawn = new Set(cases.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count))
  return cases.filter((one) => drawn.has(one))
}

/** Whether a case that another one stands for in a sample runs. */
export const isEveryCase = !sampling
