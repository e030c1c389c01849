/** Plays a sequence of runs with the public library, and compares each sink with the model after each run. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { fromNames } from "#engine/ColumnName"
import { engine } from "#library/services"
import { rows, run, type Source, type Spec } from "../../../src/index.ts"
import { noRow, type Sequence, type Step } from "./draw.ts"
import * as Model from "./Model.ts"
import { type At, type Found, type Ground, read, sinkAt, type Tables, typeAt } from "./places.ts"
import { type Named, shown, sqlOf, type Type } from "./values.ts"

export interface Difference {
  readonly step: number
  readonly sink: string
  readonly what: string
  readonly expected: unknown
  readonly found: unknown
}

const tableName = "things"

/** One pipeline, and what is known of it. */
interface Line {
  readonly name: string
  readonly places: ReadonlyArray<At>
  readonly states: Map<string, Model.State>
  /** The sinks that have a whole run. */
  readonly finished: Set<string>
  /** The number of the step that made each run. */
  readonly numbers: Map<string, number>
  /** How the run of each key ended. */
  readonly keys: Map<string, "done" | "held">
  /** The column of each sink that has a name without a hash, as the model calls it. */
  readonly aliases: Map<string, string>
}

export const play = async (sequence: Sequence, ground: Ground): Promise<Difference | undefined> => {
  const names = columnNames(sequence)
  const all = sequence.isTogether ? [sequence.places] : sequence.places.map((place) => [place])
  const lines = all.map(
    (places, at): Line => ({
      name: `p${at}`,
      places,
      states: new Map(),
      finished: new Set(),
      numbers: new Map(),
      keys: new Map(),
      aliases: new Map()
    })
  )
  for (const [number, step] of sequence.steps.entries()) {
    for (const line of lines) {
      const difference = await playStep(sequence, ground, line, step, number, names)
      if (difference !== undefined) return { step: number, ...difference }
      const changed = await changedRows(line.places, ground)
      if (changed !== undefined) return { step: number, ...changed }
    }
  }
  return undefined
}

/** Nobody else has written, so the rows of each run are what it recorded. */
const changedRows = async (places: ReadonlyArray<At>, ground: Ground): Promise<Unequal | undefined> => {
  for (const place of places) {
    const runs = await Effect.runPromise(
      Effect.provide(sinkAt(place, ground).compareRows?.(ground.folder) ?? Effect.succeed([]), engine)
    )
    const differing = runs.find(({ recorded }) => recorded !== undefined)
    if (differing === undefined) continue
    const { found, recorded, run, table } = differing
    return { sink: place.name, what: `the rows of run ${run} in table ${table}`, expected: recorded, found }
  }
  return undefined
}

type Unequal = Omit<Difference, "step">

/** The column of each name, which is the same in every run. */
const columnNames = ({ steps }: Sequence): ReadonlyMap<string, string> => {
  const own = [
    ...new Set(
      steps.flatMap(({ rows, types }) =>
        types === undefined
          ? rows
              .flat()
              .filter(([name, value]) => value !== null && name !== noRow)
              .map(([name]) => name)
          : []
      )
    )
  ]
  const columns = fromNames(own, ["_run_id", "_pipeline"])
  if (new Set(columns.map((name) => name.toLowerCase())).size < columns.length)
    throw new Error(`two names have one column: ${columns}`)
  return new Map(own.map((name, at) => [name, columns[at] ?? name]))
}

/** A step as a pipeline runs it. */
interface Turn {
  readonly line: Line
  readonly ground: Ground
  readonly step: Step
  readonly number: number
  readonly spec: Spec
  /** What the model says now. */
  readonly expected: () => Model.Outcome
}

const playStep = async (
  { table }: Sequence,
  ground: Ground,
  line: Line,
  step: Step,
  number: number,
  names: ReadonlyMap<string, string>
): Promise<Unequal | undefined> => {
  const nameOf = (name: string) => (step.types === undefined ? (names.get(name) ?? name) : name)
  const reading: Model.Reading = {
    rows: step.rows.map((row) =>
      row[0]?.[0] === noRow ? undefined : new Map(row.map(([name, value]) => [nameOf(name), value]))
    ),
    types: step.types,
    parts: step.parts
  }
  const spec: Spec = {
    name: line.name,
    directory: ground.folder,
    source: await sourceOf(step, table),
    sinks: Object.fromEntries(line.places.map((place) => [place.name, sinkAt(place, ground)])),
    table: {
      contract: table.contract,
      nested: table.nested,
      ...(table.fingerprint === undefined ? {} : { fingerprint: table.fingerprint })
    },
    ...(step.parts === undefined ? {} : { commitEvery: { rows: step.parts.commit } })
  }
  const turn: Turn = { line, ground, step, number, spec, expected: () => expectedOf(line, table, reading, number) }
  const known = step.once === undefined ? undefined : line.keys.get(step.once)
  if (known !== undefined) return ended(turn, { status: known, states: new Map() }, await attempt(turn))
  return step.killAt === undefined ? ended(turn, turn.expected(), await attempt(turn)) : playKilled(turn, step.killAt)
}

/** A run that is interrupted, and perhaps its rows again. */
const playKilled = async (turn: Turn, killAt: number): Promise<Unequal | undefined> => {
  const { ground, line, step } = turn
  const outcome = turn.expected()
  const before = new Map(line.states)
  const killed = await attempt(turn, killAt)
  for (const place of line.places) {
    const difference = await settle(place, line, ground, outcome.states.get(place.name) ?? [])
    if (difference !== undefined) return { ...difference, what: `after a kill (${killed.status}): ${difference.what}` }
  }
  if (killed.status !== "killed") return ended(turn, outcome, killed)
  if (!step.isAgain) return undefined
  const again = await attempt(turn)
  if (again.runId !== killed.runId) return ended(turn, turn.expected(), again)
  line.states.clear()
  for (const [name, state] of before) line.states.set(name, state)
  return ended(turn, outcome, again)
}

/** Finds out how far a sink has come of a run that was killed: all of a commit is there, or nothing of it. */
const settle = async (
  place: At,
  line: Line,
  ground: Ground,
  states: ReadonlyArray<Model.State>
): Promise<Unequal | undefined> => {
  const tables = await readPlace(place, ground)
  let difference: Unequal | undefined
  for (const state of states.toReversed()) {
    const found = compare(place, tables, state, line)
    difference ??= found
    if (found !== undefined) continue
    line.states.set(place.name, state)
    if (state === states.at(-1)) line.finished.add(place.name)
    return undefined
  }
  const unchanged = compare(place, tables, line.states.get(place.name), line)
  return unchanged && (difference ?? unchanged)
}

/** Sinks without a whole run get one of their own, before the others. */
const expectedOf = (
  { finished, places, states }: Line,
  table: Model.Table,
  reading: Model.Reading,
  number: number
): Model.Outcome => {
  const groups = [
    places.filter(({ name }) => !finished.has(name)),
    places.filter(({ name }) => finished.has(name))
  ].filter((group) => group.length > 0)
  const all = new Map<string, ReadonlyArray<Model.State>>()
  for (const group of groups) {
    const outcome = Model.run(group, table, states, reading, number)
    for (const [name, each] of outcome.states) all.set(name, each)
    if (outcome.status !== "done") return { status: outcome.status, states: all }
  }
  return { status: "done", states: all }
}

const ended = async (
  { ground, line, step }: Turn,
  outcome: Model.Outcome,
  attempted: Attempted
): Promise<Unequal | undefined> => {
  if (attempted.status !== outcome.status) {
    return {
      sink: line.places.map(({ name }) => name).join(),
      what: "the status of the run",
      expected: outcome.status,
      found: `${attempted.status}: ${attempted.message}`
    }
  }
  if (step.once !== undefined && outcome.status !== "refused") line.keys.set(step.once, outcome.status)
  for (const place of line.places) {
    const state = outcome.states.get(place.name)?.at(-1)
    if (state !== undefined) {
      line.states.set(place.name, state)
      line.finished.add(place.name)
    }
    const difference = compare(place, await readPlace(place, ground), line.states.get(place.name), line)
    if (difference !== undefined) return difference
  }
  return undefined
}

interface Attempted {
  readonly status: string
  readonly message: string
  readonly runId: string | undefined
}

const attempt = async ({ line, number, spec, step }: Turn, killAt = -1): Promise<Attempted> => {
  const controller = new AbortController()
  let [times, runId]: [number, string | undefined] = [0, undefined]
  try {
    const report = await run(spec, {
      ...(step.once === undefined ? {} : { once: step.once }),
      signal: controller.signal,
      watch: (progress) => {
        runId = progress.runId
        if (!line.numbers.has(runId)) line.numbers.set(runId, number)
        if (times++ === killAt) controller.abort(new Error("killed"))
      }
    })
    return {
      status: report.status,
      message: JSON.stringify(Object.values(report.failures).map(({ message }) => message)),
      runId: report.runId
    }
  } catch (error) {
    const isKilled = error instanceof Error && error.message === "killed"
    return {
      status: isKilled ? "killed" : "refused",
      message: error instanceof Error ? error.message : String(error),
      runId
    }
  }
}

const sourceOf = async (
  { iterates, parts, rows: given, types }: Step,
  { key }: Model.Table
): Promise<Source.Reader<never>> => {
  // What is no row is given as one, as a program without types would.
  const objects = given.map((row) =>
    row[0]?.[0] === noRow ? row[0][1] : Object.fromEntries(row)
  ) as ReadonlyArray<object>
  const options = { table: tableName, key }
  const columns = types && Object.fromEntries(types.map(({ name, type }) => [name, sqlOf(type)]))
  const made = await (iterates === "async"
    ? columns === undefined
      ? rows(async function* () {
          yield* objects
        }, options)
      : rows(
          async function* () {
            yield* objects
          },
          { ...options, columns }
        )
    : rows(
        iterates === "array"
          ? objects
          : function* () {
              yield* objects
            },
        columns === undefined ? options : { ...options, columns }
      ))
  return parts === undefined ? made : inAnswers(made, parts.answer)
}

/** The same source with so many rows an answer. */
const inAnswers = (source: Source.Reader<never>, count: number): Source.Reader<never> => ({
  ...source,
  fetch: (from) => {
    const before = Option.getOrElse(
      Option.map(from.after, Schema.decodeUnknownSync(Schema.Struct({ rows: Schema.Int, sum: Schema.Int }))),
      () => ({ rows: 0, sum: 0 })
    )
    let at = 0
    return source.fetch({ ...from, after: Option.none() }).pipe(
      Stream.flatMap((answer) => {
        if (answer.kind === "end") return Stream.make({ ...answer, cursor: { rows: at, sum: 0 } })
        const lines = answer.text.split("\n")
        const starts = Array.from({ length: Math.ceil(lines.length / count) }, (_, index) => index * count)
        return Stream.fromIterable(
          starts.map((start) => {
            const some = lines.slice(start, start + count)
            at += some.length
            return { ...answer, text: some.join("\n"), cursor: { rows: at, sum: 0 } }
          })
        )
      }),
      Stream.filter(({ cursor, kind }) => kind === "end" || Number(Reflect.get(Object(cursor), "rows")) > before.rows),
      Stream.mapEffect(Effect.succeed)
    )
  }
})

const runIdColumn: Named = { name: "_run_id", type: { _tag: "VARCHAR" } }
const historyColumns: ReadonlyArray<Named> = [
  { name: "valid_from", type: { _tag: "TIMESTAMP" } },
  { name: "valid_to", type: { _tag: "TIMESTAMP" } },
  { name: "is_current", type: { _tag: "BOOLEAN" } }
]

const listName = (column: string) => `${tableName}__${column}`
/** The columns that may be lists with a table. */
const listColumns = ["a", "b", "c", "order", "constructor", "价格"]
const tableNames = [tableName, `${tableName}__rejects`, ...listColumns.map(listName)]
const readPlace = (place: At, ground: Ground): Promise<Tables> => read(place, ground, tableNames)

/**
 * The columns that a sink has for names of which the first came alone: it got the name without a hash, and keeps it. The model has a
 * hash for each, so the column is called so here too, always the same one.
 */
const aliasIn = (place: At, { aliases }: Line, found: Found, state: Model.State): string | undefined => {
  const known = aliases.get(place.name)
  if (known !== undefined) return known
  const isThere = (name: string) =>
    found.types.size > 0
      ? found.types.has(name)
      : found.rows([{ name, type: { _tag: "JSON" } }]).some((row) => (row.get(name) ?? "null") !== "null")
  const [alone, ...others] = state.columns.filter(({ name }) => name.startsWith(`${plainName}_`) && !isThere(name))
  if (!isThere(plainName) || alone === undefined || others.length > 0) return undefined
  aliases.set(place.name, alone.name)
  return alone.name
}

const plainName = "net_price"

const compare = (place: At, tables: Tables, state: Model.State | undefined, line: Line): Unequal | undefined => {
  const before = tables.get(tableName)
  const alias = before === undefined || state === undefined ? undefined : aliasIn(place, line, before, state)
  const difference =
    compareRows(place, tables.get(tableName), state, line, alias) ??
    (state === undefined ? undefined : compareRejects(place, tables, state, line, alias))
  if (difference !== undefined) return difference
  for (const column of listColumns) {
    const difference = compareRows(place, tables.get(listName(column)), state?.lists.get(column), line, undefined)
    if (difference !== undefined) return { ...difference, what: `${difference.what} of ${listName(column)}` }
  }
  return undefined
}

const unequalAt =
  (place: At) =>
  (what: string, expected: unknown, found: unknown): Unequal => ({
    sink: `${place.name} (${place.write}${place.closes ? ", close" : ""})`,
    what,
    expected,
    found
  })

const inModelOf = (alias: string | undefined) => (name: string) =>
  name === plainName && alias !== undefined ? alias : name

const compareRows = (
  place: At,
  found: Found | undefined,
  state: Model.Items | undefined,
  line: Line,
  alias: string | undefined
): Unequal | undefined => {
  const [unequal, inModel] = [unequalAt(place), inModelOf(alias)]
  const inPlace = (name: string) => (name === alias ? plainName : name)
  const rowsIn = (of: Found, columns: ReadonlyArray<Named>) =>
    of
      .rows(columns.map((column) => ({ ...column, name: inPlace(column.name) })))
      .map((row) => new Map([...row].map(([name, text]) => [inModel(name), text])))
  const isHistory = place.write === "scd2"
  const columns = [...(state?.columns ?? []), runIdColumn, ...(isHistory ? historyColumns : [])]
  if (state === undefined || found === undefined) {
    const there = found !== undefined && rowsOf(rowsIn(found, columns), line, isHistory)
    const isSame = state === undefined && found === undefined
    return isSame ? undefined : unequal("whether the table is there", state !== undefined, there)
  }
  const isTyped = found.types.size > 0
  const types = columns.map(({ name, type }) => `${name} ${typeAt(place.kind, type)}`).sort()
  const thereTypes = [...found.types].map(([name, type]) => `${inModel(name)} ${type}`).sort()
  if (isTyped && place.kind !== "memory" && String(types) !== String(thereTypes))
    return unequal("the columns", types, thereTypes)
  const expected = state.rows
    .map((row) =>
      [
        ...state.columns.map(({ name, type }) => `${name}=${shownAt(place, type, row.cells.get(name))}`),
        `_run_id=${row.run}`,
        ...(isHistory
          ? [`valid_from=${row.run}`, `valid_to=${row.to ?? null}`, `is_current=${row.to === undefined}`]
          : [])
      ]
        .sort()
        .join(" ")
    )
    .sort()
  const there = rowsOf(rowsIn(found, columns), line, isHistory)
  return expected.join("\n") === there.join("\n")
    ? undefined
    : unequal("the rows", onlyIn(expected, there), onlyIn(there, expected))
}

const compareRejects = (
  place: At,
  tables: Tables,
  state: Model.State,
  line: Line,
  alias: string | undefined
): Unequal | undefined => {
  const [unequal, inModel] = [unequalAt(place), inModelOf(alias)]
  const rejects = tables.get(`${tableName}__rejects`)?.rows(rejectColumns)
  const named = (rejects ?? []).map(
    (row) =>
      [
        `${numberOf(line, row.get("_run_id"))} ${parsed(row.get("rejected_by"))}`,
        inModel(String(parsed(row.get("path"))))
      ] as const
  )
  // A column that the destination lacks has the name that it would get there.
  const isLacking = (name: string) =>
    name.startsWith(`${plainName}_`) && !state.columns.some((column) => column.name === name)
  const paired = pairsOf(state.rejects, named, ({ by, columns, run }, [what, path]) => {
    const isNamed = columns.includes(path) || (path === plainName && columns.some(isLacking))
    return isNamed && what === `${run} ${by}`
  })
  return paired === state.rejects.length && paired === named.length
    ? undefined
    : unequal(
        "the rejects",
        state.rejects.map(({ by, columns, run }) => `${run} ${by} ${columns.join(" or ")}`),
        named.map((one) => one.join(" "))
      )
}

/** How many of some have another that fits and is no other's. */
const pairsOf = <A, B>(
  some: ReadonlyArray<A>,
  others: ReadonlyArray<B>,
  fits: (one: A, other: B) => boolean
): number => {
  const owners = new Map<B, A>()
  /** Gives it another, for which those that have one already may change theirs. */
  const pair = (one: A, tried: Set<B>): boolean =>
    others.some((other) => {
      if (tried.has(other) || !fits(one, other)) return false
      tried.add(other)
      const owner = owners.get(other)
      if (owner !== undefined && !pair(owner, tried)) return false
      owners.set(other, one)
      return true
    })
  return some.filter((one) => pair(one, new Set())).length
}

/** SQLite has no zero below zero. */
const shownAt = ({ kind }: At, type: Type, cell: unknown): string =>
  shown(type, kind === "sqlite" && type._tag === "DOUBLE" && cell === 0 ? 0 : cell)

/** The rows of one list that the other lacks, of many equal ones as many. */
const onlyIn = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...others]
  return some.filter((row) => {
    const at = left.indexOf(row)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const rejectColumns: ReadonlyArray<Named> = [
  { name: "raw", type: { _tag: "VARCHAR" } },
  { name: "rejected_at", type: { _tag: "TIMESTAMP" } }
]

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))
const numberOf = ({ numbers }: Line, id: string | undefined): unknown => numbers.get(String(parsed(id))) ?? parsed(id)

/** Rows as texts, with the number of a run in place of its id and its time. */
const rowsOf = (rows: ReturnType<Found["rows"]>, line: Line, isHistory: boolean): ReadonlyArray<string> => {
  const starts = new Map([...line.numbers].map(([id, number]) => [String(startOf(id)), number]))
  return rows
    .map((row) =>
      [...row]
        .map(([name, text]) => {
          if (name === "_run_id") return `${name}=${numberOf(line, text)}`
          if (name.endsWith("_row_id")) {
            return `${name}=${text.replace(/^"(.*)-(\d+)"$/, (_, id, at) => `"${line.numbers.get(id)}-${at}"`)}`
          }
          const isMoment = isHistory && (name === "valid_from" || name === "valid_to") && text !== "null"
          return `${name}=${isMoment ? (starts.get(String(parsed(text))) ?? text) : text}`
        })
        .sort()
        .join(" ")
    )
    .sort()
}

/** The start of a run in microseconds, which its id says. */
const startOf = (id: string): number => {
  const [, y, mo, d, h, mi, s, ms] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(id) ?? []
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`) * 1000
}
