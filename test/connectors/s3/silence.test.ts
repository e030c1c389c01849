/** How often a request is repeated, by the retries of the SDK itself. */
import { expect, it } from "vitest"
import { connect } from "#connectors/s3/Client"

const retries = async () => {
  const { s3 } = await connect({})
  const strategy = await s3.config.retryStrategy()
  if (!("refreshRetryTokenForRetry" in strategy)) throw new Error("the SDK has other retries")
  return strategy
}

/** How many times a request is repeated that fails in these ways, one after the other. */
const repeats = async (errors: ReadonlyArray<Error & { readonly cause?: Error }>): Promise<number> => {
  const strategy = await retries()
  let token = await strategy.acquireInitialRetryToken("test")
  let count = 0
  for (const error of errors) {
    try {
      token = await strategy.refreshRetryTokenForRetry(token, { errorType: "TRANSIENT", error })
    } catch {
      return count
    }
    count += 1
  }
  return count
}

const failed = (name: string) => Object.assign(new Error(name), { name, cause: new Error(name) })
const silence = () => failed("TimeoutError")
const broken = () => failed("ECONNRESET")

it("a request of which nothing is heard is repeated once, and one that breaks as often as the SDK does", async () => {
  expect(await repeats([silence(), silence(), silence(), silence()])).toBe(1)
  expect(await repeats([broken(), silence(), silence(), silence()])).toBe(2)
  expect(await repeats(Array.from({ length: 9 }, broken))).toBe(5)
})
