/**
 * Data of a page in the shape of a schema, by whoever fills it: our own rules, or a model.
 *
 * The answer says who filled it (`engine`); text of a page is data for both, never an instruction.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Unprocessable } from "#contract/Errors"
import { FetchError } from "#web/FetchError"
import type { FileProblem } from "#web/FileProblem"
import { PageAnswers } from "#web/PageAnswers"
import * as SchemaFiller from "#web/SchemaFiller"
import type { Filled, Wanted } from "./Candidates.ts"
import * as Rules from "./Rules.ts"
import type { Support } from "./Support.ts"

export type { Input } from "#web/SchemaFiller"

export type { Filled, Wanted } from "./Candidates.ts"

/** How data is filled in the shape of a schema. */
type Fill = (page: SchemaFiller.Input, wanted: Wanted) => Effect.Effect<Filled, FetchError | Unprocessable>

type Supporting = (page: SchemaFiller.Input, claim: Rules.Claim) => Effect.Effect<Support, FetchError>

export class Extractor extends Context.Service<
  Extractor,
  {
    /** Fails where a model is asked and gives nothing that fits the schema, however often; and over a page that is too costly. */
    readonly fill: Fill
    /** The same by rules, also where there is a model. */
    readonly fillByRules: Fill
    /** Which values of a model the page supports. Fails over a page that is too costly. */
    readonly support: Supporting
    /** The version of the rules. */
    readonly version: number
  }
>()("millrace/service/extract/Extractor") {
  /** Who fills schemas, for extracts, for agents, and for the pages of the crawler; questions about those are answered by rules. */
  static readonly layerOf = (fillWith: (byRules: Fill, support: Supporting) => Fill) =>
    Layer.effectContext(
      Effect.map(Rules.start(), ({ ask }) => {
        const fillByRules: Fill = (page, wanted) => ofPage(page, ask({ kind: "fill", page, wanted }))
        const support: Supporting = (page, claim) => ofPage(page, ask({ kind: "support", page, claim }))
        const extractor = Extractor.of({
          fill: fillWith(fillByRules, support),
          fillByRules,
          support,
          version: rulesVersion
        })
        const answers = PageAnswers.of({
          answer: (page, question) => ofPage(page, ask({ kind: "answer", page, question })),
          highlights: (page, query) => ofPage(page, ask({ kind: "highlights", page, query }))
        })
        return Context.make(Extractor, extractor).pipe(
          Context.add(SchemaFiller.SchemaFiller, extractor),
          Context.add(PageAnswers, answers)
        )
      })
    )

  /** Without a model. */
  static readonly layerRules = Extractor.layerOf((byRules) => byRules)
}

/** A problem of this page. */
export const ofPage = <A>(
  { url }: SchemaFiller.Input,
  made: Effect.Effect<A, FileProblem>
): Effect.Effect<A, FetchError> =>
  Effect.mapError(made, ({ code, message }) => new FetchError({ url, code, message, retryable: false }))

/**
 * The version of the rules that fill schemas. A crawl that asks only for what has changed reads a page anew whose data other
 * rules have given. Raise it when the same page gives other data.
 */
const rulesVersion = 6
