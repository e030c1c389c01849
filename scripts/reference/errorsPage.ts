/**
 * `docs/reference/errors.md`: the exit codes of the command line, the errors of the API with their statuses, the codes of
 * pages that could not be read, and the tagged errors of the library.
 */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import * as Errors from "#contract/Errors"
import { commitHeld, runFailed, wrongInput } from "#see/CliFailure"
import { code, page, table } from "./markdown.ts"
import { pageCodes } from "./pageCodes.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const errorsFile = "src/contract/Errors.ts"

const files = ["src", "connectors"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file))
    .sort()
)

export const errorsPage = (): string =>
  page(
    "Errors",
    "How commands end, what the API answers when it fails, why a page could not be read, and the errors of the library.",
    [
      "## Exit codes",
      "The constants are in `src/see/CliFailure.ts`.",
      table(
        ["code", "meaning"],
        [
          ["0", "done, also when the run is `partial`"],
          [String(runFailed), "the run failed, or a sink is behind"],
          [String(wrongInput), "the file or the arguments are wrong; no request was sent"],
          [
            String(commitHeld),
            "a check held the commit; `millrace commit RUN` loads the rows, `millrace drop RUN` discards them"
          ],
          ["130", "stopped by Ctrl-C or SIGTERM; the last line says what was committed"]
        ]
      ),
      "## Errors of the API",
      "The classes are in `src/contract/Errors.ts`. Each is sent as JSON in this form; `code` and `details` may be absent.",
      `\`\`\`json\n${JSON.stringify(onTheWire(), null, 2)}\n\`\`\``,
      table(["status", "class", "meaning"], apiErrors()),
      "## Codes of pages",
      "They are in `crawl_errors.code`, in `GET /v2/crawl/{id}/errors`, and in `code` of a failed scrape. A page " +
        "that answers with an " +
        "error of its own has the code `HTTP_` and its status, such as `HTTP_503`.",
      table(["code", "meaning"], codesOfPages()),
      "## Errors of the library",
      "Every failure of an effect is one of these tagged errors; `Effect.catchTag` catches it by its name.",
      table(["error", "made in", "meaning"], libraryErrors())
    ]
  )

const onTheWire = (): unknown =>
  Schema.encodeSync(Errors.BadRequest.http)(
    new Errors.BadRequest({
      message: "Bad Request: limit must be a whole number of at least 1",
      details: [{ path: ["limit"], message: "a whole number of at least 1" }]
    })
  )

const apiErrors = (): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(commentsAbove(errorsFile)).flatMap(([name, comment]) => {
    const [, status, meaning] = /^(\d{3}): (.*)$/.exec(comment) ?? []
    return status === undefined || !(name in Errors) ? [] : [[status, code(name), lower(meaning ?? "")]]
  })

/** A code is made where it stands as a text; the ones that this list does not explain fail the generator. */
const codesOfPages = (): ReadonlyArray<ReadonlyArray<string>> => {
  const sources = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n")
  const made = new Set(Array.from(sources.matchAll(/"(SCRAPE_[A-Z_]+)"/g), ([, found = ""]) => found))
  for (const name of Object.keys(pageCodes)) {
    if (!name.startsWith("SCRAPE_") && sources.includes(`"${name}"`)) made.add(name)
  }
  const unexplained = [...made].filter((name) => pageCodes[name] === undefined)
  const unmade = Object.keys(pageCodes).filter((name) => !made.has(name))
  if (unexplained.length + unmade.length > 0) {
    throw new Error(
      `scripts/reference/pageCodes.ts lacks ${unexplained.join() || "none"}, and explains ${unmade.join() || "none"} too much`
    )
  }
  return Object.entries(pageCodes).map(([name, meaning]) => [code(name), meaning])
}

/** Where the errors are made that a pipeline in TypeScript can meet. */
const publicPackages = ["src/engine/", "src/contract/", "connectors/"]

const libraryErrors = (): ReadonlyArray<ReadonlyArray<string>> =>
  files
    // The errors of the contract have a table of their own.
    .filter((file) => file !== "src/contract/Errors.ts" && publicPackages.some((name) => file.startsWith(name)))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8")
      const names = Array.from(
        text.matchAll(/export class (\w+) extends Schema\.TaggedError</g),
        ([, name = ""]) => name
      )
      const comments = names.length === 0 ? new Map<string, string>() : commentsAbove(file)
      return names.map((name) => {
        const comment = comments.get(name)
        if (comment === undefined) throw new Error(`${name} in ${file} has no comment that says what it means`)
        return [code(name), code(file), lower(comment)]
      })
    })
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1))

/** As a part of a sentence. */
const lower = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(/\.$/, "")

/**
 * What the comments of a source file say of the names below them: `/** Why it ended. *\/` above `ended:` is of `ended`. So
 * the reference repeats no sentence that stands in the code. Their examples are left out.
 */
const commentsAbove = (file: string): ReadonlyMap<string, string> => {
  const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8")
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?(?:class |const )?(\w+)/g)
  return new Map(Array.from(found, ([, comment = "", name = ""]) => [name, plain(comment)]))
}

const plain = (comment: string): string =>
  comment
    .replace(/@example[\s\S]*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join(" ")
    .trim()
