/**
 * The merged data of the pages of a run so far, and its change with the last page.
 *
 * Specification, Limits, one agent run output: each new page merges all pages again, so the number of rows is limited. When
 * it is reached, rows of further pages are not taken.
 */
import { capital } from "#base/Words"
import type { Considered, Sources } from "#contract/Extract"
import { isList, isSchema, type Json, type JsonSchema } from "#contract/JsonSchema"
import { consideredOf } from "#extract/consideredOf"
import type { Filled } from "#extract/Extractor"
import * as FilledPage from "#extract/FilledPage"
import { merge } from "#extract/merge"
import type { Version } from "./Recorder.ts"

export interface Collected {
  readonly data: Json
  readonly sources: Sources
  readonly missing: ReadonlyArray<string>
  /** Those of `missing` whose name a page has all the same. */
  readonly unclear: ReadonlyArray<string>
}

export type CollectedData = ReturnType<typeof start>

export const start = (schema: JsonSchema | undefined, before: ReadonlyArray<FilledPage.FilledPage>) => {
  const pages = [...before]
  const taken = [...before]
  let isWritten = before.length > 0
  let now = merged(pages, schema)

  /** Adds a page. Returns the new version of the artifact; undefined: the page changed nothing. */
  const add = (page: FilledPage.FilledPage): Version | undefined => {
    const was = now.data
    pages.push(page)
    if (countOf(was) >= maxRows || (taken.length > 0 && isEmpty(page.filled.data))) return undefined
    taken.push(page)
    now = merged(taken, schema)
    const content = JSON.stringify(now.data)
    if (isEmpty(now.data) || (isWritten && content === JSON.stringify(was))) return undefined
    const change = !isWritten ? "init" : countOf(now.data) > countOf(was) ? "append" : "update"
    isWritten = true
    const changedFields = changesOf(was, now.data)
    return {
      path: "result.json",
      kind: "json",
      content,
      change,
      itemCount: countOf(now.data),
      ...(changedFields.length === 0 ? {} : { changedFields })
    }
  }

  return {
    add,
    result: (): Collected => now,
    isFull: (): boolean => countOf(now.data) >= maxRows,
    pages: (): ReadonlyArray<FilledPage.FilledPage> => pages,
    /** What all pages offered to the fields of this data, and was left. */
    considered: (data: Json): ReadonlyArray<Considered> => consideredOf(mergedPages(pages), data),
    engine: (): Filled["engine"] =>
      pages.map(({ filled }) => filled.engine).find(({ name }) => name === "model") ?? { name: "rules" }
  }
}

/** The maximum number of rows of a run. The last page may exceed it. */
export const maxRows = 1000

const merged = (pages: ReadonlyArray<FilledPage.FilledPage>, schema: JsonSchema | undefined): Collected => {
  if (pages.length === 0) return { data: null, sources: {}, missing: [], unclear: [] }
  const { data, missing, sources, unclear } = merge(mergedPages(pages), schema)
  return { data, sources: Object.fromEntries(sources), missing, unclear }
}

const mergedPages = (pages: ReadonlyArray<FilledPage.FilledPage>) =>
  FilledPage.inOrder(pages).map(({ filled, url }) => ({ url, extracted: filled }))

/** The number of rows of the longest list, or 1 for data without lists. */
export const countOf = (data: Json): number => {
  if (Array.isArray(data)) return data.length
  if (!isSchema(data)) return 0
  const lists = Object.values(data).filter((value): value is ReadonlyArray<Json> => Array.isArray(value))
  return lists.length > 0 ? Math.max(...lists.map(({ length }) => length)) : isEmpty(data) ? 0 : 1
}

/** Whether every question has a complete answer. */
export const isAnswered = (data: Json): boolean => {
  const answers = isSchema(data) && Object.keys(data).length === 1 ? data["answers"] : undefined
  const isFull = (row: Json) => isSchema(row) && typeof row["relevance"] === "number" && row["relevance"] >= 0.95
  return Array.isArray(answers) && answers.length > 0 && answers.every(isFull)
}

/** Whether no part of the data has a value. */
export const isEmpty = (data: Json): boolean =>
  data === null ||
  (Array.isArray(data) && data.every(isEmpty)) ||
  (isSchema(data) && Object.values(data).every(isEmpty))

/** The data as lines of text: answers verbatim, "Name: value", and rows of lists. */
export const linesOf = (data: Json, name = ""): ReadonlyArray<string> => {
  if (data === null) return []
  if (isList(data)) {
    const answers = [...new Set(data.flatMap(answerOf))]
    if (name === "answers" && answers.length > 0) return answers
    const rows = data.map((row) => rowOf(row)).filter((row) => row !== "")
    return [...(name === "" ? [] : [`${capital(name)} (${data.length}):`]), ...rows.map((row) => `- ${row}`)]
  }
  if (isSchema(data)) return Object.entries(data).flatMap(([key, value]) => linesOf(value, key.replaceAll("_", " ")))
  return [`${name === "" ? "" : `${capital(name)}: `}${String(data)}`]
}

const answerOf = (row: Json): ReadonlyArray<string> => {
  const { answer, question } = isSchema(row) ? row : {}
  if (typeof question !== "string") return []
  return [typeof answer === "string" ? answer : `The pages do not say: ${question}`]
}

/** "Ash lamp: price 140, stock InStock": the title, then the other values by name, URLs last. */
const rowOf = (row: Json): string => {
  if (!isSchema(row)) return row === null || typeof row === "object" ? "" : String(row)
  const texts = Object.entries(row).flatMap(([name, value]) =>
    value === null || typeof value === "object" ? [] : [{ name: name.replaceAll("_", " "), text: String(value) }]
  )
  const called = texts.find(({ text }) => !/^(?:https?:|[\d.,-]+$|true$|false$)/.test(text)) ?? texts[0]
  const rest = texts.filter((one) => one !== called)
  const isAddress = ({ text }: { readonly text: string }) => /^https?:/.test(text)
  const facts = rest.filter((one) => !isAddress(one)).map(({ name, text }) => `${name} ${text}`)
  const links = rest.filter(isAddress).map(({ text }) => text)
  const head = called === undefined ? "" : called.text
  return [facts.length === 0 ? head : `${head}: ${facts.join(", ")}`, ...links].join(", ")
}

const changesOf = (was: Json, now: Json): ReadonlyArray<string> => {
  if (!isSchema(now)) return []
  const before = isSchema(was) ? was : {}
  return Object.keys(now).filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(now[name] ?? null))
}
