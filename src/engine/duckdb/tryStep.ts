/**
 * Runs a step on an empty table to find its columns and its faults, part by part.
 *
 * If a part is invalid, the other parts are still used, so that every fault of a file is found at once. A name that an
 * invalid part would have made is doubtful, and its use is not reported as a fault.
 */
import * as Effect from "effect/Effect"
import { didYouMean } from "#base/didYouMean"
import type * as Database from "../Duckdb.ts"
import { listOf } from "../KeySchemas.ts"
import type * as Stage from "../Stage.ts"
import * as Step from "../Step.ts"
import { stepSql } from "./stepSql.ts"

interface Tried {
  /** The valid parts of the step; undefined: none. */
  readonly step: Step.Step | undefined
  /** The columns after those parts. */
  readonly columns: ReadonlyArray<string>
  readonly faults: ReadonlyArray<Stage.Fault>
  /** Names that invalid parts would have made. */
  readonly doubtful: ReadonlyArray<string>
}

/** The table on which a step is run. */
interface Ground {
  readonly from: string
  readonly columns: ReadonlyArray<string>
  /** The place of the step in the file. */
  readonly path: Stage.Fault["path"]
  /** The columns of a query on the table. */
  readonly describe: (query: string) => Effect.Effect<ReadonlyArray<string>, Database.DatabaseError>
}

export const tryStep = Effect.fnUntraced(function* (step: Step.Step, ground: Ground): Effect.fn.Return<Tried> {
  const { columns, describe, from, path } = ground
  const all = partsOf(step)
  const whole = yield* Effect.result(describe(stepSql(step, from, columns)))
  const clashes = new Map(all.map((part, at) => [part, clashOf(part, all.slice(0, at), all, ground)]))
  // DuckDB ignores an unknown column in RENAME, and numbers a name that two columns would have.
  const isWhole =
    whole._tag === "Success" &&
    all.every((part) => clashes.get(part) === undefined && (part.renamed === undefined || has(columns, part.renamed)))
  if (isWhole) return { step, columns: whole.success, faults: [], doubtful: [] }

  const good: Array<Part> = []
  const bad: Array<Part> = []
  const faults: Array<Stage.Fault> = []
  for (const part of all) {
    const fault = (yield* faultOf(part, ground)) ?? clashes.get(part)
    if (fault === undefined) good.push(part)
    else {
      bad.push(part)
      faults.push(fault)
    }
  }
  const doubtful = namesOf(bad)
  // A selection without its invalid parts would lack columns that later steps use.
  const isLess = faults.length > 0 && step.select !== undefined
  if (good.length === 0 || isLess) return { step: undefined, columns, faults, doubtful }
  const rest = together(step, good)
  const restResult = yield* Effect.result(describe(stepSql(rest, from, columns)))
  if (restResult._tag === "Success") return { step: rest, columns: restResult.success, faults, doubtful }
  // Each part is valid, but not all of them together.
  const clash = fault([...path, Step.kindOf(step)], restResult.failure)
  return { step: undefined, columns, faults: [...faults, clash], doubtful: namesOf(all) }
})

/** A fault from DuckDB's message, with the names that it suggests. */
export const fault = (path: Stage.Fault["path"], { candidates, message }: Database.DatabaseError): Stage.Fault => ({
  path,
  message,
  ...(candidates === undefined ? {} : { hint: candidates })
})

/** A hint with the nearest name to an unknown one, and all columns. */
export const nearest = (name: string, columns: ReadonlyArray<string>): { readonly hint?: string } => {
  const meant = didYouMean(name, columns)
  return { hint: `${meant === undefined ? "" : `did you mean \`${meant}\`? `}columns: ${columns.join(", ")}` }
}

/** Whether a text contains one of these names. */
export const names = (text: string, doubtful: ReadonlySet<string>): boolean =>
  [...doubtful].some((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`, "i").test(text))

/** The part of a step for one column. */
interface Part {
  readonly step: Step.Step
  readonly path: Stage.Fault["path"]
  /** The column that must exist, if the step names one. */
  readonly column?: string
  readonly renamed?: string
  /** The name of the column that it makes. */
  readonly makes?: string
}

const partsOf = (step: Step.Step): ReadonlyArray<Part> => {
  const { dedupe, derive, drop, mask, rename, select, where: _, ...rest } = step
  const list = (kind: "dedupe" | "drop" | "select", columns: ReadonlyArray<string> = []) =>
    columns.map((column, at): Part => ({ step: { ...rest, [kind]: [column] }, path: [kind, at], column }))
  const parts = [
    ...Object.entries(derive ?? {}).map(
      ([name, sql]): Part => ({ step: { ...rest, derive: { [name]: sql } }, path: ["derive", name], makes: name })
    ),
    ...Object.entries(rename ?? {}).map(
      ([old, name]): Part => ({
        step: { ...rest, rename: { [old]: name } },
        path: ["rename", old],
        column: old,
        renamed: old,
        makes: name
      })
    ),
    ...Object.entries(mask ?? {}).map(
      ([column, how]): Part => ({ step: { ...rest, mask: { [column]: how } }, path: ["mask", column], column })
    ),
    ...list("select", select),
    ...list("drop", drop === undefined ? [] : listOf(drop)),
    ...list("dedupe", dedupe === undefined ? [] : listOf(dedupe))
  ]
  return parts.length === 0 ? [{ step, path: [Step.kindOf(step)] }] : parts
}

/** Joins parts of a step to one step. */
const together = (step: Step.Step, parts: ReadonlyArray<Part>): Step.Step => {
  const kind = Step.kindOf(step)
  if (kind === "where") return step
  const values = parts.map((part) => part.step[kind])
  return {
    ...step,
    [kind]: values.some(Array.isArray)
      ? values.flat()
      : Object.fromEntries(values.flatMap((value) => Object.entries(value ?? {})))
  }
}

const faultOf = Effect.fnUntraced(function* (part: Part, { columns, describe, from, path }: Ground) {
  const keyPath = [...path, ...part.path]
  if (part.renamed !== undefined && !has(columns, part.renamed)) {
    return {
      path: keyPath,
      at: "key" as const,
      message: `there is no column ${part.renamed} to rename`,
      ...nearest(part.renamed, columns)
    }
  }
  const alone = yield* Effect.result(describe(stepSql(part.step, from, columns)))
  if (alone._tag === "Success") return undefined
  const issue = fault(keyPath, alone.failure)
  const isKey = part.step.mask !== undefined || part.renamed !== undefined
  const placed = isKey ? { ...issue, at: "key" as const } : issue
  return part.column === undefined || issue.hint !== undefined
    ? placed
    : { ...placed, ...nearest(part.column, columns) }
})

/** The fault if another column has the same name after the step. */
const clashOf = (
  part: Part,
  before: ReadonlyArray<Part>,
  all: ReadonlyArray<Part>,
  { columns, path }: Ground
): Stage.Fault | undefined => {
  const name = nameAfter(part)
  if (name === undefined) return undefined
  const keyPath = [...path, ...part.path]
  if (before.some((other) => isSame(nameAfter(other), name))) {
    return { path: keyPath, message: `the step makes two columns ${name}`, hint: "give each column a name of its own" }
  }
  const isKept = part.renamed !== undefined && has(columns, name) && !all.some(({ renamed }) => isSame(renamed, name))
  return isKept
    ? { path: keyPath, message: `the table already has a column ${name}`, hint: "choose another name" }
    : undefined
}

/** The name of a part's column after the step, if it names one. */
const nameAfter = ({ column, makes, step }: Part): string | undefined =>
  makes ?? (step.select === undefined ? undefined : column)

const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

const namesOf = (parts: ReadonlyArray<Part>): ReadonlyArray<string> =>
  parts.flatMap(({ makes }) => (makes === undefined ? [] : [makes]))

const has = (columns: ReadonlyArray<string>, name: string): boolean => columns.some((column) => isSame(column, name))
