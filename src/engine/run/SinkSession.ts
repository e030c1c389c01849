/**
 * Writes the rows of a run to one sink, and decides which rows its destination takes.
 *
 * If the destination may not evolve, a row that does not fit its columns is rejected for this destination only; so is a row
 * that the destination cannot hold. A failed row and its children are not written; if the sink removes rows, it gets the key
 * of the failed row, so that the stored row stays. scd2 gets only rows that were seen.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "../Column.ts"
import * as ColumnRegistry from "../ColumnRegistry.ts"
import { cellConverter } from "../convertCell.ts"
import * as LosslessPlan from "../LosslessPlan.ts"
import * as Rejects from "../output/Rejects.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Sink from "../Sink.ts"
import { cellOf } from "../sharedTable.ts"
import * as Table from "../Table.ts"
import { type RowError, rowValidator } from "../validateRow.ts"
import { fitsInto, mayChange, widen } from "../widen.ts"
import type * as CommittedPart from "./CommittedPart.ts"
import * as OrphanFilter from "./OrphanFilter.ts"
import type * as RowChunk from "./RowChunk.ts"
import { ContractError } from "./RowValidator.ts"

export interface SinkSession {
  /** The sink's name in its pipeline. */
  readonly name: string
  readonly writer: Sink.Writer
  /** Rows of the run that the sink has, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Those of them that it got since the last commit. */
  readonly uncommitted: Readonly<Record<string, number>>
  /** What the sink had of this run when it was opened; undefined: nothing. */
  readonly part: CommittedPart.CommittedPart | undefined
  /** Rows that only this destination rejected. */
  readonly rejected: number
  /** Why it rejected them. */
  readonly reasons: Rejects.Reasons
  /** Whether the sink writes the main table with scd2, so that it gets no rows that are gone. */
  readonly isHistory: boolean
  /** Whether the main table is replaced as a whole, because it has no key. */
  readonly isReplacedWhole: boolean
  /** Whether it removes rows, or closes versions, that a complete run does not write. */
  readonly isRemoving: boolean
  /** Whether it rejected rows of which nobody knows which stored rows they are, so that it removes none. */
  readonly isBlind: boolean
  /** Why the destination cannot take a row that fits its table; undefined: it can. */
  readonly rowError: (table: string, row: Table.Row) => RowError | undefined
  readonly write: (table: Table.Table, chunk: RowChunk.RowChunk) => Effect.Effect<void, Sink.SinkError>
  readonly retainKeys: (table: string, keys: ReadonlyArray<Table.Row>) => Effect.Effect<void, Sink.SinkError>
  /** Sets the number of the answer of the next rows. Rows of answers that the sink already has are only counted. */
  readonly begin: (answer: number) => void
  /** Notes that all rows so far are committed. */
  readonly committed: () => void
}

interface Parts {
  readonly name: string
  readonly writer: Sink.Writer
  readonly plan: Sink.Plan
  /** As in `Destination`. */
  readonly closesRemoved?: boolean | undefined
  readonly contract: Pipeline.Contract
  /** As in `OutputTables`. */
  readonly isKeyless: boolean
  readonly rejects: Table.Table
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** What the sink already has of this run. */
  readonly part?: CommittedPart.CommittedPart | undefined
}

export const of = (given: Parts): SinkSession => {
  const naming = ColumnRegistry.naming(given.plan, given.writer.tables)
  const parts = { ...given, plan: naming.plan }
  const { plan, writer } = parts
  const plans = new Map(plan.tables.map((one) => [one.table.name, one]))
  const planned = new Map(plan.tables.map(({ table }) => [table.name, table]))
  const orphans = OrphanFilter.of(plan.tables.map(({ table }) => table))
  const { counts, hand, retainKeys } = handover(naming, given)
  const newKeys = keyMemory(naming, writer)
  const checks = checksOf(plan, writer)
  const { keyless, mayFail: mayFailIn, rowError } = faultsOf(parts, checks, naming)
  let rejected = 0
  const reasons = Rejects.reasons()
  const main = plan.tables[0]
  /** Whether this sink removes stored rows of a table, or closes their versions, if the run does not write them. */
  const removes = ({ key, name }: Pick<Table.Table, "key" | "name">) =>
    key.length > 0 && ["replace", "scd2"].includes(plans.get(name)?.write ?? "")

  return {
    name: parts.name,
    writer,
    rows: counts.rows,
    get uncommitted() {
      return counts.uncommitted
    },
    part: parts.part,
    get rejected() {
      return rejected
    },
    reasons,
    isHistory: main?.write === "scd2",
    isReplacedWhole: main?.write === "replace" && parts.isKeyless,
    isRemoving: isRemoving(parts),
    get isBlind() {
      return counts.lacksKeys
    },
    begin: (answer) => {
      counts.isThere = answer <= (parts.part?.answers ?? 0)
    },
    committed: () => {
      counts.uncommitted = {}
    },
    rowError,
    retainKeys: (table, keys) => {
      const own = planned.get(table)
      return own !== undefined && removes(own) ? retainKeys(table, keys) : Effect.void
    },
    write: Effect.fnUntraced(function* (table, { presences, rows: some }) {
      const isHistory = plans.get(table.name)?.write === "scd2"
      const mayFail = mayFailIn(table, some)
      if (presences === undefined && !mayFail && !orphans.concerns(table)) return yield* hand(table, some)
      const [fit, unwritten]: [Array<Table.Row>, Array<Table.Row>] = [[], []]
      const odd: Array<Rejects.Rejected> = []
      const isNew = presences?.includes("unread") === true && !counts.isThere ? yield* newKeys(table) : () => false
      for (const [at, row] of some.entries()) {
        const came = presences?.[at] ?? "seen"
        const presence = came === "unread" ? (isNew(row) ? "seen" : "failed") : came
        if (orphans.isOrphan(table, row)) continue
        const fault = presence === "failed" || !mayFail ? undefined : rowError(table.name, row)
        if (fault === undefined && (presence === "seen" || (presence === "gone" && !isHistory))) {
          fit.push(row)
          orphans.stay(table, [row])
          continue
        }
        orphans.takeOut(table, [row])
        // A rejected row exists, so its stored row must stay. One without a key has none.
        if ((presence === "failed" || fault !== undefined) && keyless(table.name, [row]) === undefined)
          unwritten.push(keyOf(table, row))
        if (fault !== undefined) {
          const { column: path, message: reason } = fault
          odd.push({ table: table.name, reason, path, raw: row, at: parts.startedAt, ordinal: rejected++ })
        }
      }
      reasons.take(odd)
      yield* hand(table, fit)
      if (unwritten.length > 0 && removes(table)) yield* retainKeys(table.name, unwritten)
      yield* hand(parts.rejects, Rejects.rowsOf(odd, "destination"))
    })
  }
}

type Checks = ReturnType<typeof checksOf>

const isRemoving = ({ closesRemoved, plan }: Parts): boolean =>
  plan.tables.some(({ write }) => write === "replace" || (write === "scd2" && closesRemoved === true))

/** What is wrong with rows, for this destination. */
const faultsOf = ({ contract, plan, rejects, writer }: Parts, checks: Checks, naming: ColumnRegistry.Naming) => {
  const plans = new Map(plan.tables.map((one) => [one.table.name, one]))
  /** Rows as the destination takes them; undefined: it cannot take one of their cells. */
  const inDestination = (table: string, rows: ReadonlyArray<Table.Row>) => {
    try {
      return naming.rows(table, rows)
    } catch {
      return undefined
    }
  }
  /** The key that is missing from one of the rows; a frozen table refuses the run instead. */
  const keyless = (table: string, rows: ReadonlyArray<Table.Row>): string | undefined => {
    const own = contract === "freeze" ? undefined : plans.get(table)
    return own && Sink.missingKey(own, inDestination(table, rows) ?? rows)
  }
  /** Checks the columns of the destination first, then what the destination itself cannot hold. */
  const rowError = (table: string, given: Table.Row): RowError | undefined => {
    const [row] = inDestination(table, [given]) ?? []
    if (row === undefined) return misfitOf(naming, table, given)
    const wrong = checks.get(table)?.(row)
    if (wrong !== undefined || table === rejects.name) return wrong
    const column = keyless(table, [given])
    if (column === undefined) return writer.rowError?.(table, row)
    const message = `column ${column}: it is null, and ${plans.get(table)?.write} needs it; fill it, or append`
    return { column, message }
  }
  const isSure = ({ columns, name }: Table.Table) => !checks.has(name) && !columns.some(LosslessPlan.isUnseen)
  const mayFail = (table: Table.Table, some: ReadonlyArray<Table.Row>): boolean =>
    !isSure(table) || writer.rowError !== undefined || keyless(table.name, some) !== undefined
  return { keyless, mayFail, rowError }
}

/** The cell that cannot have the type of the destination: a column showed none, and is read anew with items of another type. */
const misfitOf = (naming: ColumnRegistry.Naming, table: string, row: Table.Row): RowError | undefined => {
  for (const [column, cell] of Object.entries(row)) {
    try {
      naming.rows(table, [{ [column]: cell }])
    } catch (cause) {
      return { column, message: `column ${column}: ${cause instanceof Error ? cause.message : String(cause)}` }
    }
  }
  return undefined
}

/** The checks of rows against the columns of a destination, of the tables that need one. */
const checksOf = (plan: Sink.Plan, writer: Sink.Writer) =>
  new Map(
    plan.tables.flatMap(({ table }) => {
      const present = Option.getOrUndefined(writer.columns(table.name))
      if (present === undefined) return []
      const fits = plan.evolve ? undefined : checkOf(table, present)
      const isKept = exactness(table, present, plan.evolve)
      if (fits === undefined && isKept === undefined) return []
      return [[table.name, (row: Table.Row) => fits?.(row) ?? isKept?.(row)] as const]
    })
  )

/** What the rows and keys of a shared destination have beside those of the run: `_pipeline`. */
const sharedCells = ({ pipeline, shared }: Sink.Plan): Table.Row => (shared === true ? cellOf(pipeline) : {})

/** Gives rows and keys to the writer, and counts the rows. */
const handover = (naming: ColumnRegistry.Naming, { plan: given, writer }: Parts) => {
  const { plan } = naming
  const takes = new Map(given.tables.map(({ table }) => [table.name, new Set(table.columns.map(({ name }) => name))]))
  const planned = new Map(plan.tables.map(({ table }) => [table.name, table]))
  const shared = sharedCells(plan)
  const counts: {
    readonly rows: Record<string, number>
    uncommitted: Record<string, number>
    /** Whether the sink already has the rows of this answer. */
    isThere: boolean
    /** Whether a retained key is not whole, so that nobody knows which stored row it is. A history has no such rows. */
    lacksKeys: boolean
  } = {
    rows: Object.fromEntries(plan.tables.map(({ table }) => [table.name, 0])),
    uncommitted: {},
    isThere: false,
    lacksKeys: false
  }
  const histories = new Set(plan.tables.flatMap(({ table, write }) => (write === "scd2" ? [table.name] : [])))

  /** Columns of the run that only other sinks have. */
  const othersIn = ({ columns, name }: Table.Table) =>
    columns.filter((column) => takes.get(name)?.has(column.name) === false)

  /** A row with the system columns. Every row of a run is copied here, so it is written for speed. */
  const withSystem =
    (others: ReadonlyArray<Column.Column>) =>
    (row: Table.Row): Table.Row => {
      const copy: Record<string, unknown> = plan.shared === true ? { ...row, ...shared } : { ...row }
      copy["_run_id"] = plan.runId
      for (const { name } of others) delete copy[name]
      return copy
    }

  const hand = Effect.fnUntraced(function* (table: Table.Table, some: ReadonlyArray<Table.Row>) {
    if (some.length === 0) return
    counts.rows[table.name] = (counts.rows[table.name] ?? 0) + some.length
    if (counts.isThere) return
    counts.uncommitted[table.name] = (counts.uncommitted[table.name] ?? 0) + some.length
    const rows = naming.rows(table.name, some)
    yield* writer.write(Table.batch(planned.get(table.name) ?? table, rows.map(withSystem(othersIn(table)))))
  })

  const retainKeys = (table: string, given: ReadonlyArray<Table.Row>) => {
    if (counts.isThere) return Effect.void
    const keys = naming.rows(table, given)
    const isWhole = (key: Table.Row) => Object.values(key).every((cell) => cell !== null && cell !== undefined)
    counts.lacksKeys ||= !histories.has(table) && !given.every(isWhole)
    return writer.retainKeys(table, plan.shared === true ? keys.map((key) => ({ ...shared, ...key })) : keys)
  }

  return { counts, hand, retainKeys }
}

/** Makes the question whether no row of a key was there before, and none has come. */
const keyMemory = ({ plan, rows }: ColumnRegistry.Naming, writer: Sink.Writer) => {
  const planned = new Map(plan.tables.map(({ table }) => [table.name, table.key]))
  const shared = sharedCells(plan)
  /** The keys that the destination has, of tables that got unread rows. */
  const stored = new Map<string, Set<string>>()
  return Effect.fnUntraced(function* ({ key, name }: Table.Table) {
    if (key.length === 0 || writer.storedKeys === undefined) return () => false
    const names = planned.get(name) ?? key
    const named = (row: Table.Row) => rows(name, [row])[0] ?? row
    const textOf = (row: Table.Row) => JSON.stringify(names.map((column) => String(row[column])))
    const keys = stored.get(name) ?? new Set((yield* writer.storedKeys(name)).map(textOf))
    stored.set(name, keys)
    return (row: Table.Row) => {
      const text = textOf({ ...named(row), ...shared })
      if (keys.has(text)) return false
      keys.add(text)
      return true
    }
  })
}

const keyOf = ({ key }: Table.Table, row: Table.Row): Table.Row =>
  Object.fromEntries(key.map((name) => [name, row[name]]))

/** Why a frozen destination refuses this run: it lacks a column, or has one that is too narrow. Undefined: it does not. */
export const frozenFault = (given: Sink.Plan, writer: Sink.Writer, rejects: Table.Table): ContractError | undefined => {
  const { plan } = ColumnRegistry.naming(given, writer.tables)
  for (const { table } of plan.tables) {
    if (table.name === rejects.name) continue
    const present = Option.getOrUndefined(writer.columns(table.name))
    if (present === undefined) continue
    for (const { name, type } of table.columns) {
      const has = Column.named(present, name)
      if (has !== undefined && fitsInto(type, has.type)) continue
      const what = has === undefined ? "which it lacks" : `which is ${Column.toSql(has.type)} there`
      return new ContractError({
        message: `table ${table.name} is frozen, and this run has the column ${name} ${Column.toSql(type)}, ${what}; alter the table, or set the contract to evolve or quarantine`
      })
    }
  }
  return undefined
}

/** Makes the check of rows against the columns of a destination. A column that the destination lacks must be null. */
const checkOf = (
  table: Table.Table,
  present: ReadonlyArray<Column.Column>
): ((row: Table.Row) => RowError | undefined) | undefined => {
  const lacking = table.columns.filter(({ name }) => Column.named(present, name) === undefined)
  const narrow = table.columns.flatMap((column) => {
    const there = Column.named(present, column.name)
    const takesNull = there === undefined || there.nullable || !column.nullable
    return there === undefined || (fitsInto(column.type, there.type) && takesNull)
      ? []
      : [{ ...column, type: there.type, nullable: takesNull }]
  })
  if (lacking.length === 0 && narrow.length === 0) return undefined
  const rowError = rowValidator({ ...table, columns: narrow })
  const others = table.columns.filter(({ name, type }) => {
    const there = Column.named(present, name)
    return there !== undefined && isMomentAndNumber(type, there.type)
  })
  return (row) => {
    const other = others.find(({ name }) => row[name] !== null && row[name] !== undefined)
    if (other !== undefined) {
      const there = Column.named(present, other.name)?.type ?? other.type
      const message = `column ${other.name}: it is ${Column.toSql(other.type)}, and ${Column.toSql(there)} in the destination`
      return { column: other.name, message }
    }
    const full = lacking.find(({ name }) => row[name] !== null && row[name] !== undefined)
    if (full !== undefined) {
      return { column: full.name, message: `table ${table.name} of the destination has no column ${full.name}` }
    }
    return rowError(Object.fromEntries(narrow.map(({ name }) => [name, row[name]])))
  }
}

/** Whether one type has moments where the other has whole numbers: both are bigint, and would be taken for each other. */
const isMomentAndNumber = (one: Column.ColumnType, other: Column.ColumnType): boolean => {
  if (one._tag === "LIST" && other._tag === "LIST") return isMomentAndNumber(one.of.type, other.of.type)
  if (one._tag === "STRUCT" && other._tag === "STRUCT") {
    return one.fields.some(({ name, type }) => {
      const field = other.fields.find((field) => field.name === name)
      return field !== undefined && isMomentAndNumber(type, field.type)
    })
  }
  const tags = new Set([one._tag, other._tag])
  return tags.has("TIMESTAMP") && tags.has("BIGINT")
}

/** Makes the check that the destination holds the numbers of a row as they are. Undefined: it does, whatever they are. */
const exactness = (table: Table.Table, present: ReadonlyArray<Column.Column>, evolve: boolean) => {
  const cells = table.columns.flatMap(({ name, type }) => {
    const there = Column.named(present, name)
    if (there === undefined) return []
    const to = evolve ? widen(there.type, type) : there.type
    return mayChange(type, to) ? [{ name, convert: cellConverter(type, to) }] : []
  })
  if (cells.length === 0) return undefined
  return (row: Table.Row): RowError | undefined => {
    for (const { convert, name } of cells) {
      try {
        convert(row[name])
      } catch (cause) {
        return { column: name, message: `column ${name}: ${cause instanceof Error ? cause.message : String(cause)}` }
      }
    }
    return undefined
  }
}
