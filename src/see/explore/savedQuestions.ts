/**
 * Questions that somebody has saved: files of SQL beside the pipeline, in `questions/PIPELINE/NAME.sql`.
 *
 * Guarantee: a name is one file of that folder. What is written is written whole, and never through a link.
 */
import { randomBytes } from "node:crypto"
import { access, constants, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { failed, wrong } from "../CliFailure.ts"
import type { SavedQuestion, SavedQuestions } from "./ExploreApi.ts"
import type { Explorer } from "./Explorer.ts"

const mostQuestions = 200
const mostBytes = 100_000
const ending = ".sql"

/** Letters, digits, spaces and -_.,()! of any script; it neither begins nor ends with a dot or a space. */
const goodName = /^[\p{L}\p{N}_(](?:[\p{L}\p{M}\p{N}_ .,()!-]{0,78}[\p{L}\p{M}\p{N}_)!])?$/u

export const savedQuestions = Effect.fn("savedQuestions")(function* (explorer: Explorer) {
  const { folder, shown } = placeOf(explorer)
  const names = yield* attempt(shown, "read", () => filesIn(folder))
  const questions = yield* Effect.forEach(names.slice(0, mostQuestions), (name) =>
    attempt(shown, "read", () => questionIn(folder, name))
  )
  const refusal = yield* Effect.promise(() => refusalOf(folder, shown))
  const answer: SavedQuestions = {
    folder: shown,
    questions: questions.flatMap((question) => question ?? []),
    ...(refusal === undefined ? {} : { refusal })
  }
  return answer
})

export const saveQuestion = Effect.fn("saveQuestion")(function* (explorer: Explorer, { name, sql }: SavedQuestion) {
  const { folder, shown } = placeOf(explorer)
  yield* checkName(name)
  if (sql.trim() === "") return yield* wrong("the question is empty: write one, then save it")
  const text = sql.endsWith("\n") ? sql : `${sql}\n`
  if (Buffer.byteLength(text) > mostBytes) return yield* wrong(`a question has at most ${mostBytes} bytes`)
  yield* attempt(shown, "written", async () => {
    await mkdir(folder, { recursive: true })
    const beside = join(folder, `.${randomBytes(6).toString("hex")}`)
    try {
      await writeFile(beside, text, { flag: "wx" })
      await rename(beside, join(folder, `${name}${ending}`))
    } finally {
      await rm(beside, { force: true })
    }
  })
  return yield* savedQuestions(explorer)
})

export const deleteQuestion = Effect.fn("deleteQuestion")(function* (explorer: Explorer, name: string) {
  const { folder, shown } = placeOf(explorer)
  yield* checkName(name)
  const isThere = (yield* attempt(shown, "read", () => filesIn(folder))).includes(name)
  if (!isThere) return yield* wrong(`there is no question ${name} in ${shown}`)
  yield* attempt(shown, "written", () => rm(join(folder, `${name}${ending}`)))
  return yield* savedQuestions(explorer)
})

/** Where they are, and how people are told of it. The name of a pipeline has no characters that lead elsewhere. */
const placeOf = ({ loaded: { pipeline } }: Explorer) => {
  const shown = `questions/${pipeline.name}`
  return { folder: join(pipeline.directory, "questions", pipeline.name), shown }
}

const checkName = (name: string) =>
  goodName.test(name)
    ? Effect.void
    : wrong(
        `${JSON.stringify(name.slice(0, 80))} cannot be the name of a question: take at most 80 letters, digits, spaces and -_.,()!`
      )

const filesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const names = await readdir(folder).catch(ignoreMissing)
  return (names ?? [])
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => goodName.test(name))
    .toSorted((a, b) => a.localeCompare(b, "en"))
}

/** Undefined: it is no file of a question, but a link, a folder, or a larger text than any question is. */
const questionIn = async (folder: string, name: string): Promise<SavedQuestion | undefined> => {
  const path = join(folder, `${name}${ending}`)
  const about = await lstat(path).catch(ignoreMissing)
  if (about === undefined || !about.isFile() || about.size > mostBytes) return undefined
  return { name, sql: (await readFile(path, "utf8")).trimEnd() }
}

/** Why nothing can be saved: the nearest folder that is there cannot be written. */
const refusalOf = async (folder: string, shown: string): Promise<string | undefined> => {
  try {
    await access(folder, constants.W_OK)
    return undefined
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT"
    if (isMissing && dirname(folder) !== folder) return refusalOf(dirname(folder), shown)
    return `questions cannot be saved: ${shown} cannot be written`
  }
}

export const ignoreMissing = (cause: unknown): undefined => {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
  throw cause
}

const attempt = <A>(shown: string, what: "read" | "written", work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => failed(`${shown} cannot be ${what}: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
