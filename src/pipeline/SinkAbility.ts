/**
 * What a sink may lack, so that it says so: the laws of the suite that need it are skipped by name, and `millrace plan` tells
 * it. A sink that lacks nothing keeps all laws.
 */
import * as Struct from "effect/Struct"

/** Each ability, and what a person must know who has a sink without it. */
const withoutIt = {
  exactlyOnce:
    "rows arrive at least once: those of a commit come a second time if the process dies right after it, with the same run id",
  columns: "it keeps no columns, so `contract` must be evolve",
  again: "it cannot write a run a second time, so `millrace replay` is refused",
  read: "its rows cannot be read back: `millrace why`, `diff` and `report` do not show them",
  details: "it keeps no checks and no profiles of its runs",
  shared: "several pipelines cannot share its tables"
} as const

/**
 * What a sink may lack: "exactlyOnce", "columns", "again", "read", "details" or "shared". `millrace plan` lists what it
 * lacks.
 */
export type SinkAbility = keyof typeof withoutIt

export const abilities: ReadonlyArray<SinkAbility> = Struct.keys(withoutIt)

/** What it means that a sink lacks this. */
export const lackInWords = (ability: SinkAbility): string => withoutIt[ability]
