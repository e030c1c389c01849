/** Who answers the views of the page: the server of `millrace explore`, or the files of an exported folder. */
import type { ReportModel } from "../../report/ReportModel.ts"
import type { WhyModel } from "../../why/WhyModel.ts"
import type {
  DiffAnswer,
  DiffQuestion,
  DownloadQuestion,
  FirstQuestion,
  ProfileAnswer,
  ProfileQuestion,
  RowsAnswer,
  RowsQuestion,
  RunsAnswer,
  SavedQuestion,
  SavedQuestions,
  TablesAnswer,
  TextPlace,
  WhyQuestion
} from "../ExploreApi.ts"

export interface Answers {
  readonly tables: () => Promise<TablesAnswer>
  /** Like `sql`, ends when the signal says so. */
  readonly rows: (question: RowsQuestion, signal?: AbortSignal) => Promise<RowsAnswer>
  readonly profile: (question: ProfileQuestion, signal: AbortSignal) => Promise<ProfileAnswer>
  /** The formats in which rows can be had as a file. */
  readonly formats: ReadonlyArray<FileFormat>
  /** Where the file is that has these rows. */
  readonly fileUrl: (question: DownloadQuestion, format: FileFormat, signal: AbortSignal) => Promise<string>
  readonly sql: (sql: string, signal: AbortSignal) => Promise<RowsAnswer>
  readonly firstQuestion: () => Promise<FirstQuestion>
  readonly questions: () => Promise<SavedQuestions>
  readonly saveQuestion: (question: SavedQuestion) => Promise<SavedQuestions>
  readonly deleteQuestion: (name: string) => Promise<SavedQuestions>
  readonly runs: () => Promise<RunsAnswer>
  readonly run: (id: string) => Promise<ReportModel>
  readonly diff: (question: DiffQuestion) => Promise<DiffAnswer>
  /** The whole report of a run, for a tab of its own. */
  readonly reportUrl: (run: string) => string
  readonly why: (question: WhyQuestion) => Promise<WhyModel>
  /** Whether pages can be read once more for it. */
  readonly readsAgain: boolean
}

export type FileFormat = "csv" | "parquet"

/** Why a question has no answer, and where in its SQL that is, if the database says it. */
export class AnswerError extends Error {
  readonly place: TextPlace | undefined

  constructor(message: string, place: TextPlace | undefined) {
    super(message)
    this.name = "AnswerError"
    this.place = place
  }
}
