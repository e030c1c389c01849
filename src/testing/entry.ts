/**
 * The entry of `millrace/testing` in the package. It checks for the test runner first, so that an author without one reads
 * what to install, instead of the error of a missing module.
 */
/** Optional peer dependencies of the package: running pipelines does not need them. */
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
