/**
 * A fault of this machine, not of a site: no file descriptors, no memory, a full disk, a store that fails.
 *
 * It is never the failure of a page. It is raised as a defect, so code that handles failures of pages cannot mistake it
 * for one, and it ends its job.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class MachineFault extends Schema.TaggedError<MachineFault>()("MachineFault", {
  /** The system's code, such as EMFILE. */
  code: Schema.String,
  message: Schema.String
}) {}

/** The fault of this machine behind an error; undefined: there is none. */
export const of = (cause: unknown): MachineFault | undefined => {
  if (cause instanceof MachineFault) return cause
  if (!(cause instanceof Error)) return undefined
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : ""
  const what = faults[code]
  if (what !== undefined) return new MachineFault({ code, message: `${what} (${code})` })
  if (cause instanceof AggregateError) return cause.errors.map(of).find((fault) => fault !== undefined)
  return cause.cause === undefined ? undefined : of(cause.cause)
}

/** Raises a page's failure as a fault if our own store caused it. */
export const raise = (error: { readonly code: string; readonly message: string }): Effect.Effect<void> =>
  error.code === storeError ? Effect.die(new MachineFault({ code: error.code, message: error.message })) : Effect.void

/** The code of a page's failure if our store failed while it read a copy or compared the page. */
export const storeError = "SCRAPE_STORE_ERROR"

const faults: Record<string, string> = {
  EMFILE: "this process has no file descriptors left: raise its limit (ulimit -n), or ask for fewer pages at a time",
  ENFILE: "this machine has no file descriptors left: raise its limit (fs.file-max), or end other processes",
  ENOSPC: "the disk of this machine is full: free some space, then run again",
  EDQUOT: "the disk quota is used up: free some space, then run again",
  ENOMEM: "this machine has no memory left: end other processes, or ask for fewer pages at a time",
  ENOBUFS: "this machine has no memory left for connections: ask for fewer pages at a time"
}
