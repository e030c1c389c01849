/**
 * Reads suspects (`Suspect`) in a process of their own: who reads files, fills schemas and answers questions looks there
 * first, and a page of any other kind is read as always.
 *
 * Guarantee: a suspect that ends the process which reads nothing else has shown that it was the cause, and fails. What ends this
 * process meanwhile says nothing about the page. So a page ends one process of the service at most, and a process that
 * is killed from outside costs no page.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as OwnProcess from "#base/OwnProcess"
import { FileProblem } from "#web/FileProblem"
import { FileReader } from "#web/FileReader"
import { PageAnswers } from "#web/PageAnswers"
import { SchemaFiller } from "#web/SchemaFiller"
import { Suspect } from "#web/Suspect"
import { Extractor, type Filled, ofPage } from "./Extractor.ts"
import type { Answered, AnswerOf, Request } from "./quarantine/Question.ts"

/** What it gives looks for suspects; it needs the same for all other pages. `byModel`: whether a model fills schemas. */
export const layer = (byModel: boolean) => Layer.effectContext(Effect.suspend(() => make(byModel)))

const make = Effect.fnUntraced(function* (byModel: boolean) {
  const files = yield* FileReader
  const extractor = yield* Extractor
  const answers = yield* PageAnswers
  const own = yield* OwnProcess.create<Request, Answered>({
    file: "./quarantine/quarantineProcess",
    beside: import.meta.url,
    idleMillis: 3000,
    mostMillis: 75_000,
    heapMegabytes: 512
  })

  const ask = <Asked extends Request>(request: Asked): Effect.Effect<AnswerOf<Asked>, FileProblem> =>
    Effect.matchEffect(own.ask(request), {
      onFailure: ({ message }) => Effect.fail(new FileProblem(endedCode, `${endedMessage}, which ${message}`)),
      onSuccess: (answer) =>
        answer.ok
          ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `quarantineProcess` answers each kind of question with its own kind
            Effect.succeed(answer.read as AnswerOf<Asked>)
          : Effect.fail(new FileProblem(answer.code, answer.message))
    })
  /** The model is asked by this process, with what the rules have made of the page: a suspect is left to the rules. */
  const filled = (request: Extract<Request, { readonly kind: "fill" }>) =>
    Effect.map(
      ask(request),
      (filled): Filled =>
        byModel
          ? { ...filled, warning: [filled.warning, unasked].filter((text) => text !== undefined).join("; ") }
          : filled
    )
  /** One way for suspects, and one for all others. */
  const either = <A, E, B, E2, R>(suspect: Effect.Effect<A, E>, other: Effect.Effect<B, E2, R>) =>
    Effect.flatMap(Suspect, (isSuspect): Effect.Effect<A | B, E | E2, R> => (isSuspect ? suspect : other))

  /** How a schema is filled of a page. */
  const fillOr =
    (fill: Extractor["Service"]["fill"]): Extractor["Service"]["fill"] =>
    (page, wanted) =>
      either(ofPage(page, filled({ kind: "fill", page, wanted })), fill(page, wanted))
  const extracting = Extractor.of({
    ...extractor,
    fill: fillOr(extractor.fill),
    fillByRules: fillOr(extractor.fillByRules)
  })

  return Context.make(
    FileReader,
    FileReader.of({
      read: (request) => either(ask({ kind: "file", request }), files.read(request)),
      readPage: (request) => either(ask({ kind: "page", request }), files.readPage(request))
    })
  ).pipe(
    Context.add(SchemaFiller, extracting),
    Context.add(Extractor, extracting),
    Context.add(
      PageAnswers,
      PageAnswers.of({
        answer: (page, question) =>
          either(ofPage(page, ask({ kind: "answer", page, question })), answers.answer(page, question)),
        highlights: (page, query) =>
          either(ofPage(page, ask({ kind: "highlights", page, query })), answers.highlights(page, query))
      })
    )
  )
})

const endedCode = "SCRAPE_PAGE_ENDED_PROCESS"
const endedMessage =
  "the page is not read again: a process ended while it read the page, and so did one that read nothing else"

const unasked = "a process ended while it read the page, so rules have filled the schema, and the model was not asked"
