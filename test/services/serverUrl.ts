/**
 * The URL of a server that tests share: the one that the environment names, or the one that `npm test` started for the
 * whole run (`test/wholeRun.ts`). Whoever runs single files has one of this process, which is gone when it ends. Undefined
 * where it cannot be had.
 */
import { inject } from "vitest"
import { ownServer } from "./ownServer.ts"

export const serverUrl = async (name: "postgres" | "s3"): Promise<string | undefined> => {
  const known = process.env[environmentOf[name]]
  if (known !== undefined) return known === notToBeHad ? undefined : known
  const ofRun = inject("servers")
  const url =
    ofRun === undefined
      ? ((await ownServer(`${name}.sh`, name.toUpperCase()))?.url ?? notToBeHad)
      : await (await fetch(`${ofRun}/${name}`)).text()
  // What this process starts next, files of tests among it, finds the same.
  process.env[environmentOf[name]] = url
  return url === notToBeHad ? undefined : url
}

export const environmentOf = { postgres: "MILLRACE_TEST_POSTGRES_URL", s3: "MILLRACE_TEST_S3_URL" } as const

/** In place of a URL: it was tried, and cannot be had here. */
export const notToBeHad = "none"
