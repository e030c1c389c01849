/** How rows are printed: as text for people, as JSON, or as Arrow. */
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { type CliFailure, wrong } from "./CliFailure.ts"
import { jsonFor } from "./flags.ts"

const formats = ["text", "json", "arrow"] as const
export type Format = (typeof formats)[number]

/** `--format`, and `--json`, which is `--format json`. */
export const format = {
  json: jsonFor("row"),
  format: Flag.Literals("format", formats).pipe(
    Flag.withDescription(
      "how rows are printed: text, json (one object per line, the same as --json), or arrow (an Arrow IPC stream); default: text"
    ),
    Flag.withDefault("text")
  )
}

export const formatOf = ({ format, json }: { readonly format: Format; readonly json: boolean }): Format =>
  json ? "json" : format

/** Fails if Arrow, which is binary, would be printed on a terminal. */
export const forTerminal = (format: string): Effect.Effect<void, CliFailure> =>
  format === "arrow" && process.stdout.isTTY
    ? wrong("--format arrow is not for a terminal: pipe it to a program, or into a file with >")
    : Effect.void
