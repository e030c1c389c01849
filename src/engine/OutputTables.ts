/**
 * The tables of a run: as its source has them, as its steps leave them, and as its sinks get them.
 *
 * They are known before the source sends a request, and impossible steps and checks are refused then.
 */
import * as Effect from "effect/Effect"
import * as Check from "./Check.ts"
import * as ListDigest from "./ListDigest.ts"
import * as NestedColumns from "./output/NestedColumns.ts"
import * as Rejects from "./output/Rejects.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Stage from "./Stage.ts"
import * as Step from "./Step.ts"
import * as Table from "./Table.ts"

export interface OutputTables {
  /** The tables of the source, under the user's names; the first is the main table. */
  readonly came: readonly [Table.Table, ...ReadonlyArray<Table.Table>]
  /** The stage; undefined: no step and no check needs all rows. */
  readonly stage: Stage.Stage | undefined
  /** How the rows of each table are split after the stage, by its name. */
  readonly nestings: ReadonlyMap<string, NestedColumns.NestedColumns>
  /** The tables that the sinks get: the main table, its nested tables, the others, and the rejects last. */
  readonly tables: ReadonlyArray<Table.Table>
  readonly main: Table.Table
  /** Whether the rows of the main table have no key, or one that is of this run alone, because their items refer to them. */
  readonly isKeyless: boolean
  readonly rejects: Table.Table
  readonly fingerprint: ReadonlyArray<string>
  /** Those of them that only a destination may have. */
  readonly absent: ReadonlyArray<string> | "all"
  /**
   * The key of the main table: the source's name of each column, and its name after the steps. Undefined: the user set
   * another key, or a step changes the key, so that keys which the source reports do not identify rows.
   */
  readonly keyNames: ReadonlyArray<readonly [came: string, name: string]> | undefined
}

export const layOut = Effect.fn("OutputTables.make")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  place: {
    /** The folder of the run, and of the pipeline. */
    readonly folder: string
    readonly pipelineFolder: string
    /** Whether the stage of a held run is opened again. */
    readonly reopen: boolean
  }
) {
  const came = Pipeline.named(pipeline)
  /** A step or a check may also use the source's name of a table. */
  const names = new Map(pipeline.source.tables.map(({ name }, index) => [name, came[index]?.name ?? name]))
  const inTable = <Said extends { readonly table?: string }>(remark: Said): Said =>
    remark.table === undefined || came.some(({ name }) => name === remark.table)
      ? remark
      : { ...remark, table: names.get(remark.table) ?? remark.table }
  const checks = pipeline.checks.map(inTable)
  const steps = pipeline.steps.map(inTable)
  const untaken = steps.findIndex(({ map }) => map !== undefined && pipeline.source.maps?.includes(map) !== true)
  if (untaken !== -1) {
    return yield* new Stage.StageError({
      message: "map steps work in pipeline files only; in a program, use Source.mapped",
      path: ["steps", untaken, "map"]
    })
  }
  const stage =
    !steps.some(Step.isSql) && !checks.some(Check.looksAtRows)
      ? undefined
      : yield* (yield* Stage.Stages).open({
          folder: place.folder,
          tables: came,
          steps,
          checks,
          key: pipeline.table.key,
          fingerprint: (main) => Table.fingerprintOf(main, pipeline.table.fingerprint),
          fingerprints: checks.some(({ changed }) => changed !== undefined)
            ? `${place.pipelineFolder}/fingerprints.duckdb`
            : undefined,
          reopen: place.reopen
        })
  const [first, ...others] = stage?.tables ?? came
  const main = Table.described(
    { ...(first ?? came[0]), key: pipeline.table.key ?? first?.key ?? [] },
    pipeline.table.description,
    pipeline.table.columnDescriptions ?? {}
  )
  const mode = pipeline.table.nested ?? came[0].nested ?? "struct"
  const isHistory = Object.values(pipeline.sinks).some((sink) => sink.writeOf(main) === "scd2")
  const nestings = [main, ...others].map((table) =>
    NestedColumns.forMode(table === main ? mode : "struct", Pipeline.withRunId(table), table === main && isHistory)
  )
  const absent = Table.absentOf(main, pipeline.table.fingerprint)
  const named = pipeline.table.fingerprint ?? main.fingerprint ?? []
  const tables = nestings.flatMap((nesting) => nesting.tables)
  const rejects = Pipeline.withRunId(Rejects.tableOf(main))
  const ofMain = steps.filter(({ table }) => (table ?? came[0].name) === came[0].name)
  const keyNames = came[0].key.flatMap((name) => {
    const after = Step.nameAfter(ofMain, name)
    return after === undefined ? [] : [[name, after] as const]
  })
  const followed = keyNames.map(([, after]) => after)
  const isSourceKey = followed.length > 0 && [...followed].sort().join() === [...main.key].sort().join()
  const layout: OutputTables = {
    came,
    stage,
    nestings: new Map(
      [main, ...others].map(({ name }, index) => [name, nestings[index] ?? NestedColumns.forMode("struct", main)])
    ),
    tables: [...tables, rejects],
    main: tables[0] ?? main,
    isKeyless: main.key.length === 0,
    rejects,
    fingerprint: Table.fingerprintOf(main, pipeline.table.fingerprint).map((of) => nestings[0]?.digests.get(of) ?? of),
    // A column has been lists, or will be: a history compares both.
    absent: absent === "all" || mode !== "tables" ? absent : named.flatMap((name) => [name, ListDigest.nameOf(name)]),
    keyNames: isSourceKey ? keyNames : undefined
  }
  return layout
})
