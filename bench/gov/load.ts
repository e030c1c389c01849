/**
 * Loads a corpus into the index of one engine, in a process of its own, and tells what that took:
 *
 *     node bench/gov/load.ts ENGINE PATH FILE VARIANT SETTINGS
 *
 * The engine "reading" only reads the texts. The variant is "whole", "bodies" (bodies without headings) or "headless"; the
 * settings are what the files of the corpus do not say, as JSON.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Corpus from "../../src/law/Corpus.ts"
import * as Settings from "../../src/law/CorpusSettings.ts"
import * as Figures from "../Figures.ts"
import type { Files } from "./Engine.ts"
import { withoutHeading } from "./headings.ts"
import { makers } from "./makers.ts"

const [engine = "", path = "", file = "", variant = "whole", settings = "{}"] = process.argv.slice(2)

const whole: Files = Corpus.files(path, Schema.decodeUnknownSync(Schema.fromJsonString(Settings.Options))(settings))
const files: Files =
  variant === "whole"
    ? whole
    : Stream.map(whole, (one) => ({
        ...one,
        texts: Stream.map(one.texts, (text) => withoutHeading(text, variant === "headless"))
      }))

Figures.begin()
const maker = makers.find(({ name }) => name === engine)
if (maker !== undefined) await maker.load(files, file)
else {
  await Effect.runPromise(
    Stream.runForEach(files, ({ texts }) =>
      Stream.runDrain(texts).pipe(Effect.catchTag("CorpusError", () => Effect.void))
    ).pipe(Effect.provide(NodeServices.layer))
  )
}
Figures.tell()
