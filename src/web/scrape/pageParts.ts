/** The parts of a document that need more than the pass over the page: answers to questions, and branding. */
import * as Effect from "effect/Effect"
import type { PageDocument } from "#contract/PageDocument"
import * as ScrapeOptions from "#contract/ScrapeOptions"
import * as Branding from "../branding/branding.ts"
import type { StyleSheets } from "../branding/StyleSheets.ts"
import { PageAnswers } from "../PageAnswers.ts"
import { fetchOptions, type Reading } from "../PageDocuments.ts"
import type { ScrapePlan } from "../ScrapePlan.ts"

interface Part {
  readonly part: Partial<PageDocument>
  readonly warnings: ReadonlyArray<string>
}

const nothing: Part = { part: {}, warnings: [] }

/** The formats question, query and highlights. */
export const answers = Effect.fnUntraced(function* ({ page, url }: Reading, { options }: ScrapePlan) {
  const question =
    ScrapeOptions.formatOf(options, "question")?.question ?? ScrapeOptions.formatOf(options, "query")?.prompt
  const query = ScrapeOptions.formatOf(options, "highlights")?.query
  if (question === undefined && query === undefined) return nothing
  const pageAnswers = yield* PageAnswers
  const input = { url: url.href, html: page.rawHtml ?? "", metadata: page.metadata }
  const answer = question === undefined ? undefined : yield* pageAnswers.answer(input, question)
  const passages = query === undefined ? undefined : yield* pageAnswers.highlights(input, query)
  const answered: Part = {
    part: {
      ...(answer?.text === undefined ? {} : { answer: answer.text }),
      ...(passages === undefined || passages.length === 0 ? {} : { highlights: passages.join("\n\n") })
    },
    warnings: [
      ...(answer === undefined || answer.text !== undefined
        ? []
        : [answer.isUnderstood ? "the page does not answer the question" : notUnderstood]),
      ...(passages?.length === 0 ? ["nothing on the page speaks of what highlights looks for"] : [])
    ]
  }
  return answered
})

const notUnderstood =
  "the question was not understood, so the page may answer it all the same: ask in a sentence, in the language of the page"

/** The format branding. */
export const branding = Effect.fnUntraced(function* ({ page, url }: Reading, plan: ScrapePlan, styles: StyleSheets) {
  if (!plan.formats.has("branding")) return nothing
  const root = Branding.read(page.rawHtml ?? "")
  const { headers: _, ...options } = fetchOptions(plan, url, url)
  const { missed, texts } = yield* styles.read(Branding.sheetsOf(root, url.href), options)
  const found: Part = {
    part: { branding: Branding.branding(root, url.href, texts) },
    warnings:
      missed === 0
        ? []
        : [`${missed} style sheet${missed === 1 ? " was" : "s were"} not read; branding is what the others say`]
  }
  return found
})

/** Whether a page of this plan waits for style sheets, or for rules that are loaded on demand. */
export const needsMore = ({ formats }: ScrapePlan): boolean => waiting.some((format) => formats.has(format))

const waiting = ["branding", "question", "highlights", "query"] as const
