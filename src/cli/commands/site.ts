/** `millrace site`: a demo website to crawl, generated from a seed. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const revision = Flag.Int("revision").pipe(
  Flag.withDescription("the revision of the site; 1 is the first, and pages change with each"),
  Flag.withDefault(1)
)
const seed = Flag.Int("seed").pipe(
  Flag.withDescription("the seed that the site is generated from"),
  Flag.withDefault(1)
)

export const site = Command.make("site", { host: flags.host, port: flags.port(8787), revision, seed }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../serve/serveSite.ts")),
    ({ serveSite }) => serveSite(options)
  )
).pipe(Command.withDescription("Serve the demo site: some 300 pages that a crawler can learn on"))
