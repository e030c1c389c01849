import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"

const stores = resolve(import.meta.dirname, "../../../src/service/store/stores.ts")

/** Opens the stores in a process of its own, and counts the modules of Postgres's driver that this loads. */
const driverModules = (database: string): number => {
  const script = `
    import { registerHooks } from "node:module"
    import * as Effect from "effect/Effect"
    import * as Layer from "effect/Layer"
    let loaded = 0
    registerHooks({
      load: (url, context, next) => {
        if (url.includes("/@effect/sql-pg/")) loaded += 1
        return next(url, context)
      }
    })
    const { stores } = await import(${JSON.stringify(stores)})
    await Effect.runPromiseExit(Effect.scoped(Layer.build(stores(${JSON.stringify(database)}))))
    process.stdout.write(String(loaded))`
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }))
}

describe("the stores of the service", () => {
  it("load the driver of Postgres only for its URL", () => {
    expect(driverModules(":memory:")).toBe(0)
    expect(driverModules("postgres://127.0.0.1:1/jobs")).toBeGreaterThan(0)
    expect(driverModules("postgresql://127.0.0.1:1/jobs")).toBeGreaterThan(0)
  })
})
