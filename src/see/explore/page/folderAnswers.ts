/**
 * Answers from the files of an exported folder, of any file server: tables and where values come from by DuckDB in this
 * browser, and runs, reports and differences as the export has written them.
 */

import { directionOf, furthestFirst, moved } from "../../diff/moved.ts"
import type { ReportModel } from "../../report/ReportModel.ts"
import { errorPlace } from "../../sql/errorPlace.ts"
import type {
  DiffAnswer,
  Failure,
  FirstQuestion,
  ProfileAnswer,
  ProfileQuestion,
  RowsAnswer,
  RowsQuestion,
  RunsAnswer,
  SavedQuestions,
  TablesAnswer
} from "../ExploreApi.ts"
import { diffFile, firstQuestionFile, questionsFile, reportFile, runFile } from "../folderFiles.ts"
import { allSql, countSql, filledSql, filteredSql, longestCell, type Part, partSql } from "../gridSql.ts"
import * as Profile from "../profileSql.ts"
import { AnswerError } from "./AnswerError.ts"
import type { Answers } from "./Answers.ts"
import { csvBlob } from "./csvBlob.ts"
import { type FolderDatabase, openFolder } from "./FolderDatabase.ts"
import { folderWhy } from "./folderWhy.ts"

const sqlLimits = { rows: 10_000, cell: 2000 }
const longestValue = 1_000_000

export const folderAnswers = (folder: URL): Answers => {
  /** `A` is what `ExploreApi.ts` says of the file: the export has written it with this page. */
  const read = async <A>(path: string): Promise<A> => {
    const response = await fetch(new URL(path, folder))
    if (!response.ok) throw new Error(`${path} cannot be read: the server says ${response.status}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the comment above says
    return (await response.json()) as A
  }
  const tables = once(() => read<TablesAnswer>("data/tables.json"))
  const database = once<FolderDatabase>(() => openFolder(folder))
  const partOf = async (question: RowsQuestion): Promise<Part> => {
    const table = (await tables()).tables.find(({ name }) => name === question.table)
    if (table === undefined) throw new Error(`there is no table ${question.table}`)
    return { ...question, columns: table.columns, key: table.key, dialect: "DuckDB", isWhole: question.whole === true }
  }
  const runs = once(() => read<RunsAnswer>("data/runs.json"))
  const readOnly = () => Promise.reject(new Error("this folder is a copy: questions are saved where the pipeline is"))
  return {
    tables,
    rows: async (question, signal) => {
      const [part, data] = [await partOf(question), await database()]
      const cell = part.isWhole ? longestValue : longestCell
      const { rows } = await data.ask(partSql(part), { rows: question.limit, cell }, signal)
      if (question.count !== true) return { columns: part.columns, rows }
      const sql = countSql(part, rows.length)
      const counted = sql === undefined ? undefined : await data.ask(sql, { rows: 1, cell }, signal)
      const total = Number(counted?.rows[0]?.[0] ?? part.offset + rows.length)
      const asked = filledSql(part, rows)
      const filled = asked === undefined ? undefined : await data.ask(asked.sql, { rows: 1, cell }, signal)
      const empty = (asked?.names ?? []).filter((_, at) => Number(filled?.rows[0]?.[at]) === 0)
      return { columns: part.columns, rows, total, empty }
    },
    profile: async (question, signal) => {
      const { columns } = await partOf({ ...everything, ...question })
      const data = await database()
      // A statement that is under way ends by itself: DuckDB writes each that it cancels on the console of the page.
      const ask = (sql: string) => {
        signal.throwIfAborted()
        return data.ask(sql, { rows: sqlLimits.rows, cell: longestCell })
      }
      return profileOf(ask, question, columns)
    },
    // The Parquet of DuckDB is an extension, which would come from elsewhere.
    formats: ["csv"],
    fileUrl: async (question, _, signal) => {
      const part = await partOf({ ...everything, ...question })
      const data = await database()
      const found = await data.ask(allSql(part), { rows: Number.MAX_SAFE_INTEGER - 1, cell: longestValue }, signal)
      return URL.createObjectURL(await csvBlob(found))
    },
    sql: async (sql, signal) => {
      const data = await database()
      return data.ask(sql, sqlLimits, signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof Error)) throw error
        const [line = ""] = error.message.split("\n")
        throw new AnswerError(line, errorPlace(sql, error.message))
      })
    },
    firstQuestion: () => read<FirstQuestion>(firstQuestionFile),
    questions: () => read<SavedQuestions>(questionsFile),
    saveQuestion: readOnly,
    deleteQuestion: readOnly,
    runs,
    run: (id) => read<ReportModel>(runFile(id)),
    diff: async ({ by = "", table, to }) => {
      const found = await read<DiffAnswer | Failure>(diffFile(to, table))
      if ("error" in found) throw new Error(found.error)
      return by === "" ? found : movedIn(found, by)
    },
    reportUrl: reportFile,
    why: async (question) => {
      const [ownTables, ownRuns, data] = await Promise.all([tables(), runs(), database()])
      const ask = (sql: string) => data.ask(sql, { rows: sqlLimits.rows, cell: longestValue })
      return folderWhy({ tables: ownTables, runs: ownRuns, ask }, question)
    },
    readsAgain: false
  }
}

/** Of the changes that the folder has. */
const movedIn = (found: DiffAnswer, by: string): DiffAnswer => {
  const { column, isDown } = directionOf(by)
  const rows = found.changes.flatMap((change) => {
    const field = change.fields.find(({ name }) => name === column)
    const far = field !== undefined && "old" in field ? moved(field.old, field.new) : undefined
    return far === undefined || far < 0 !== isDown ? [] : [{ by: far, change }]
  })
  return { ...found, moved: rows.length, changes: rows.toSorted(furthestFirst).map(({ change }) => change) }
}

const everything = { find: "", where: [], order: "", offset: 0, limit: 0 }

/** An export has no profile of a run: its rows are looked at. */
const profileOf = async (
  ask: (sql: string) => Promise<RowsAnswer>,
  { columns: names, table, where }: ProfileQuestion,
  all: TablesAnswer["tables"][number]["columns"]
): Promise<ProfileAnswer> => {
  const columns = all.filter(({ name }) => names.includes(name))
  const only = filteredSql({ where, columns: all })
  const [[rows] = []] = (await ask(Profile.rowsSql({ table, only }))).rows
  const source: Profile.Source = { table, only, rows: Number(rows), dialect: "DuckDB" }
  const found = await ask(Profile.figuresSql(source, columns))
  const row = Object.fromEntries(found.columns.map(({ name }, at) => [name, found.rows[0]?.[at]]))
  const figures = Profile.figuresIn(source, columns, row)
  const sql = Profile.countsSql(source, figures)
  const counts = sql === undefined ? [] : (await ask(sql)).rows
  return {
    basis: `The figures are ${Profile.basisOf(source)}.`,
    columns: Profile.summariesOf(
      source,
      figures,
      counts.map(([at, value = null, count]) => ({ at: Number(at), value, count: Number(count) }))
    )
  }
}

/** What was read once is there; what could not be read is asked for again. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
