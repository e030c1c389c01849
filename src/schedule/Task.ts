/**
 * A pipeline that has its times: what the scheduler knows of a pipeline file.
 */
import type { Timing } from "../file/Schedule.ts"
import type * as Notify from "../pipeline/Notify.ts"

export interface Task {
  /** The pipeline's name: what has run is known under it. */
  readonly name: string
  /** The pipeline file. */
  readonly path: string
  /** What the file says: a later version of it that is broken changes nothing. */
  readonly text: string
  readonly timing: Timing
  readonly notify: ReadonlyArray<Notify.Notify>
}

/** Two schedules with one rule have the same times. */
export const ruleOf = ({ expression, timezone }: Timing): string => `${expression} ${timezone}`

/** When a due time really begins: the same moment however often it is asked, so that a restart moves nothing. */
export const beginOf = ({ name, timing: { jitterMillis } }: Task, due: number): number =>
  jitterMillis === 0 ? due : due + (hash(`${name} ${due}`) % jitterMillis)

/** How long the wait before the next attempt is, after so many. */
export const backoffOf = ({ backoffMillis }: Timing, attempts: number): number =>
  Math.min(backoffMillis * 2 ** (attempts - 1), Math.max(backoffMillis, longestBackoff))

const longestBackoff = 3_600_000

/** FNV-1a, with its bits mixed once more: neighbouring times are to lie far from each other. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
