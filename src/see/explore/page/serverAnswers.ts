/** Answers of the server of `millrace explore`, which gives them to the token that the URL of the page has. */
import type { ReportModel } from "../../report/ReportModel.ts"
import type { WhyModel } from "../../why/WhyModel.ts"
import type {
  DiffAnswer,
  Failure,
  FirstQuestion,
  ProfileAnswer,
  RowsAnswer,
  RunsAnswer,
  SavedQuestions,
  TablesAnswer
} from "../ExploreApi.ts"
import { filtersText } from "../filters.ts"
import { AnswerError, type Answers } from "./Answers.ts"

export const serverAnswers = (token: string): Answers => {
  const headers = { authorization: `Bearer ${token}` }
  /** `A` is what `ExploreApi.ts` says of the path: the server is of the same version as this page. */
  const get = <A>(
    path: string,
    params: Readonly<Record<string, string>> | ReadonlyArray<readonly [name: string, value: string]> = {},
    signal?: AbortSignal
  ): Promise<A> => {
    const query = new URLSearchParams(Array.isArray(params) ? params : Object.entries(params)).toString()
    return answered<A>(fetch(`${path}?${query}`, { headers, ...until(signal) }))
  }
  const post = <A>(path: string, body: unknown, signal?: AbortSignal): Promise<A> =>
    answered<A>(
      fetch(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { ...headers, "content-type": "application/json" },
        ...until(signal)
      })
    )
  return {
    tables: () => get<TablesAnswer>("/api/tables"),
    rows: ({ where, ...question }, signal) => {
      const params = Object.entries(question).map(([name, value]) => [name, String(value)] as const)
      return get<RowsAnswer>("/api/rows", [...params, ["where", filtersText(where)]], signal)
    },
    profile: ({ columns, table, where }, signal) => {
      const named = columns.map((name) => ["columns", name] as const)
      return get<ProfileAnswer>("/api/profile", [["table", table], ["where", filtersText(where)], ...named], signal)
    },
    formats: ["csv", "parquet"],
    fileUrl: async ({ find, order, table, where }, format) => {
      const params = new URLSearchParams({ token, find, order, where: filtersText(where) })
      return `/download/${encodeURIComponent(table)}.${format}?${params.toString()}`
    },
    sql: (sql, signal) => post<RowsAnswer>("/api/sql", { sql }, signal),
    firstQuestion: () => get<FirstQuestion>("/api/question"),
    questions: () => get<SavedQuestions>("/api/questions"),
    saveQuestion: (question) => post<SavedQuestions>("/api/questions", question),
    deleteQuestion: (name) =>
      answered<SavedQuestions>(
        fetch(`/api/questions?${new URLSearchParams({ name }).toString()}`, { method: "DELETE", headers })
      ),
    runs: () => get<RunsAnswer>("/api/runs"),
    run: (run) => get<ReportModel>("/api/run", { run }),
    diff: ({ by = "", ...question }) => get<DiffAnswer>("/api/diff", { ...question, by }),
    reportUrl: (run) => `/report/${encodeURIComponent(run)}?token=${encodeURIComponent(token)}`,
    why: (question) => post<WhyModel>("/api/why", question),
    readsAgain: true
  }
}

const until = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal }

const answered = async <A>(sent: Promise<Response>): Promise<A> => {
  const response = await sent.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause
    throw new Error("the server does not answer: start `millrace explore` again, and open its new URL", { cause })
  })
  const body: unknown = await response.json()
  if (!response.ok) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each answer that is not 200 is a Failure
    const { error, place } = body as Failure
    throw new AnswerError(error, place)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the comment of `get` says
  return body as A
}
