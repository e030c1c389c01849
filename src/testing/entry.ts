/**
 * `millrace/testing` as a package has it: it looks for the test runner first, so that who has none reads what to install and
 * not where a module was looked for.
 */
/** Peers of the package, which nobody needs who only runs pipelines. */
const wanted = ["vitest", "@effect/vitest"]

const missing = wanted.filter((name) => {
  try {
    import.meta.resolve(name)
    return false
  } catch {
    return true
  }
})
if (missing.length > 0) {
  throw new Error(`millrace/testing needs ${missing.join(" and ")}: npm install --save-dev ${missing.join(" ")}`)
}
const suites = await import("./index.ts")

export const commitForever = suites.commitForever
export const CrashSuite = suites.CrashSuite
export const faults = suites.faults
export const ObjectStoreSuite = suites.ObjectStoreSuite
export const SinkSuite = suites.SinkSuite
export const SourceSuite = suites.SourceSuite
