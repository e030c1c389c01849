/**
 * A task of the scheduler: a pipeline file with a schedule.
 */
import type { Timing } from "./FileSchedule.ts"
import type * as Notify from "./Notify.ts"

export interface Task {
  /** The name of the pipeline, under which the ledger keeps its runs. */
  readonly name: string
  /** The path of the pipeline file. */
  readonly path: string
  /** The text of the file. It stays in use if a later version of the file is invalid. */
  readonly text: string
  readonly timing: Timing
  readonly notify: ReadonlyArray<Notify.Notify>
}

/** The rule of a schedule: schedules with equal rules have the same due times. */
export const ruleOf = ({ expression, timezone }: Timing): string => `${expression} ${timezone}`

/** When the run of a due time begins, with jitter: always the same moment for a due time, also after a restart. */
export const beginOf = ({ name, timing: { jitterMillis } }: Task, due: number): number =>
  jitterMillis === 0 ? due : due + (hash(`${name} ${due}`) % jitterMillis)

/** The wait before the next attempt, after this many attempts. */
export const backoffOf = ({ backoffMillis }: Timing, attempts: number): number =>
  Math.min(backoffMillis * 2 ** (attempts - 1), Math.max(backoffMillis, longestBackoff))

const longestBackoff = 3_600_000

/** FNV-1a, with its bits mixed once more, so that neighbouring times get very different hashes. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
