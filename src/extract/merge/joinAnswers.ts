/**
 * Answers that several pages give to the same questions, as one: of each question the one that is most to the point, of
 * those the one of the earlier page.
 *
 * If a page has the wanted list as a list of its own, passages of other pages are not added to it.
 */
import { isSchema, type Json } from "#contract/JsonSchema"
import type { MergedPage } from "./Part.ts"

/** Pages whose data is of one shape: lists where any page has one, else one page for the answers of each question. */
export const joinAnswers = (pages: ReadonlyArray<MergedPage>): ReadonlyArray<MergedPage> => {
  const others = pages.filter((page) => answersIn(page) === undefined)
  if (others.length === pages.length) return pages
  if (others.some(({ extracted }) => saysSomething(extracted.data))) return others
  const best = new Map<string, Found>()
  for (const page of pages) {
    for (const [i, answer] of (answersIn(page) ?? []).entries()) {
      const { question, relevance } = isSchema(answer) ? answer : {}
      if (typeof question !== "string") continue
      const known = best.get(question)
      const score = typeof relevance === "number" ? relevance : 0
      if (known === undefined || score > known.score) best.set(question, { page, answer, at: i, score })
    }
  }
  return [...best.values()].map(alone)
}

/** The page with this answer and no other. */
const alone = ({ answer, at, page: { extracted, url } }: Found): MergedPage => {
  const own = `/answers/${at}/`
  const moved = (pointer: string) => `/answers/0/${pointer.slice(own.length)}`
  const sources = [...extracted.sources].filter(([pointer]) => pointer.startsWith(own))
  const missing = extracted.missing.filter((pointer) => pointer.startsWith(own)).map(moved)
  return {
    url,
    extracted: {
      data: { answers: [answer] },
      sources: new Map(sources.map(([pointer, source]) => [moved(pointer), source])),
      missing
    }
  }
}

interface Found {
  readonly page: MergedPage
  readonly answer: Json
  readonly at: number
  readonly score: number
}

const answersIn = ({ extracted: { data } }: MergedPage): ReadonlyArray<Json> | undefined => {
  const answers = isSchema(data) && Object.keys(data).length === 1 ? data["answers"] : undefined
  return Array.isArray(answers) ? answers : undefined
}

const saysSomething = (data: Json): boolean =>
  isSchema(data) && Object.values(data).some((value) => Array.isArray(value) && value.length > 0)
