// The same fast schema compiler that the command line runs with, so that tests prove what users run.
import "effect/schema/SchemaJITCompiler/enable"
import { afterEach } from "vitest"
import { spokenWords } from "./spokenWords.ts"

// A test that fails shows what its commands have said.
afterEach(({ task: { result } }) => {
  const words = spokenWords()
  if (result?.state !== "fail" || words === "") return
  for (const error of result.errors ?? []) error.message += `\n\n${words}`
})
