/** The page of `millrace explore`. */

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
import { readRowsText } from "../rowsText.ts"
import { AnswerError, type Answers } from "./Answers.ts"
import { showViews } from "./showViews.ts"
import { taskPauses } from "./times.ts"

/** Answers of the server of `millrace explore`, which gives them to the token that the URL of the page has. */
const serverAnswers = (token: string): Answers => {
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
  const sent = (path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
    fetch(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, "content-type": "application/json" },
      ...until(signal)
    })
  const post = <A>(path: string, body: unknown): Promise<A> => answered<A>(sent(path, body))
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
    sql: async (sql, signal) => {
      const { body } = await responseOf(sent("/api/sql", { sql }, signal))
      return readRowsText(body ?? new ReadableStream(), taskPauses())
    },
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

/** The response that has an answer. */
const responseOf = async (sent: Promise<Response>): Promise<Response> => {
  const response = await sent.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause
    throw new Error("the server does not answer: start `millrace explore` again, and open its new URL", { cause })
  })
  if (response.ok) return response
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each answer that is not 200 is a Failure
  const { error, place } = (await response.json()) as Failure
  throw new AnswerError(error, place)
}

const answered = async <A>(sent: Promise<Response>): Promise<A> => {
  const response = await responseOf(sent)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the comment of `get` says
  return (await response.json()) as A
}

showViews(serverAnswers(new URLSearchParams(location.search).get("token") ?? ""))
