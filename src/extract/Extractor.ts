/**
 * Data of a page in the shape of a schema, by whoever fills it: our own rules, or a model.
 *
 * The answer says who filled it (`engine`); text of a page is data for both, never an instruction.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Unprocessable } from "../api/Errors.ts"
import { PageAnswers } from "../crawler/scrape/PageAnswers.ts"
import * as SchemaFiller from "../crawler/scrape/SchemaFiller.ts"
import type { Filled, Wanted } from "./Filled.ts"

export type { Input } from "../crawler/scrape/SchemaFiller.ts"

export type { Filled, Wanted } from "./Filled.ts"

/** Loaded with the first page that is asked something. */
const answering = Effect.promise(() => import("./answer/pageAnswers.ts"))

const answersByRules: PageAnswers["Service"] = {
  answer: ({ html, url }, question) => Effect.map(answering, (rules) => rules.answerOf(html, url, question)),
  highlights: ({ html, url }, query) => Effect.map(answering, (rules) => rules.highlightsOf(html, url, query))
}

export class Extractor extends Context.Service<
  Extractor,
  {
    /** Fails where a model is asked and gives nothing that fits the schema, however often. */
    readonly fill: (page: SchemaFiller.Input, wanted: Wanted) => Effect.Effect<Filled, Unprocessable>
  }
>()("millrace/service/extract/Extractor") {
  /** Who fills schemas, for extracts, for agents, and for the pages of the crawler; questions about those are answered by rules. */
  static readonly layerOf = (extractor: Extractor["Service"]) =>
    Layer.succeedContext(
      Context.make(Extractor, extractor).pipe(
        Context.add(SchemaFiller.SchemaFiller, extractor),
        Context.add(PageAnswers, answersByRules)
      )
    )

  /** Without a model. The rules are loaded with the first page that asks for data. */
  static readonly layerRules = Extractor.layerOf({
    fill: (page, wanted) =>
      Effect.map(
        Effect.promise(() => import("./byRules.ts")),
        ({ byRules }) => byRules(page, wanted)
      )
  })
}
