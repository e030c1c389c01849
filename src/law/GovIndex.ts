/**
 * The index of government texts: what is loaded into it, and what answers a query.
 *
 * A section is found by any of its written forms, and by its words; the same index and query give the same order. The
 * texts are public and belong to no team. Costly work runs off the event loop.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** One answer: the passage of one section. */
export interface GovHit {
  /** Citation, heading, and what to check before citing: "17 U.S.C. § 101. Definitions [United States, in force, 117-80]". */
  readonly title: string
  readonly url: string
  /** The passage that answers, as the text has it. */
  readonly description: string
}

/** What the index answers to a query. */
export interface GovAnswer {
  /** Best first. */
  readonly hits: ReadonlyArray<GovHit>
  /** What a reader must know of them: that the section that was cited is not there. */
  readonly warning?: string
}

/** The index cannot be searched. */
export class GovIndexFailed extends Schema.TaggedError<GovIndexFailed>()("GovIndexFailed", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export class GovIndex extends Context.Service<
  GovIndex,
  {
    /** The number of sections in the index. */
    readonly sections: Effect.Effect<number, GovIndexFailed>
    /** At most `k` sections. */
    readonly search: (query: string, k: number) => Effect.Effect<GovAnswer, GovIndexFailed>
  }
>()("millrace/service/search/GovIndex") {}
