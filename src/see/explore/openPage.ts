/**
 * Opens the URL of the page in the browser.
 *
 * Guarantee: the URL has the token, and every user of a machine can read the arguments of its programs. So the browser is given a
 * file that only its own user can read, which leads to the URL. The file is gone with the scope.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as HtmlPage from "#base/HtmlPage"
import { temporaryFolder } from "#engine/temporaryFolder"
import { failed } from "../CliFailure.ts"
import { openFile } from "../report/openFile.ts"

/** `directory`: where the pipeline file is. Browsers of some systems see nothing of the system's folder for what is temporary. */
export const openPage = Effect.fn("openPage")(
  function* (url: string, directory: string) {
    const place = join(directory, ".millrace")
    yield* Effect.tryPromise(() => mkdir(place, { recursive: true }))
    const file = join(yield* temporaryFolder("explore", place), "page.html")
    yield* Effect.tryPromise(() => writeFile(file, leadingTo(url), { mode: 0o600 }))
    yield* openFile(file)
  },
  Effect.mapError(() =>
    failed("the page cannot be opened in the browser: start without --open, and open the URL yourself")
  )
)

const leadingTo = (url: string): string =>
  HtmlPage.page({
    title: "millrace explore",
    head: `${HtmlPage.noReferrer}<meta http-equiv="refresh" content="0; url=${HtmlPage.escape(url)}">\n`,
    body: ""
  })
