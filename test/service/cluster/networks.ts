/**
 * Machines as this kernel can have several: network namespaces on one bridge, each with an address of its own. They need
 * Linux, `ip` and its root; they are gone with the scope.
 */
import { execFileSync } from "node:child_process"
import * as Effect from "effect/Effect"

export interface Network {
  readonly address: string
  /** What a command is started with to run in it. */
  readonly inside: ReadonlyArray<string>
}

export interface Networks {
  /** Where what runs in none of them is reached from all. */
  readonly outside: string
  readonly all: ReadonlyArray<Network>
  /** Nothing goes between these two until the effect has ended; both reach everybody else. */
  readonly parted: <A>(one: Network, other: Network, meanwhile: Effect.Effect<A>) => Effect.Effect<A>
}

/** Whether this machine can have them. */
export const canBe = ((): boolean => {
  const name = `mr${process.pid}`
  try {
    ip("netns", "add", name)
    ip("netns", "delete", name)
    return true
  } catch {
    return false
  }
})()

export const networks = (count: number) =>
  Effect.acquireRelease(
    Effect.sync((): Networks & { readonly end: () => void } => {
      // Names of interfaces have at most 15 characters.
      const own = `mr${process.pid}`
      const third = process.pid % 250
      const addressOf = (at: number) => `10.77.${third}.${at}`
      ip("link", "add", own, "type", "bridge")
      ip("address", "add", `${addressOf(1)}/24`, "dev", own)
      ip("link", "set", own, "up")
      const all = Array.from({ length: count }, (_, index) => {
        const name = `${own}-${index}`
        const address = addressOf(index + 11)
        ip("netns", "add", name)
        ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", name, "master", own, "up")
        ip("-n", name, "address", "add", `${address}/24`, "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")
        return { name, address, inside: ["ip", "netns", "exec", name] }
      })
      const route = (what: "add" | "delete", from: Network, to: Network) =>
        ip("-n", from.inside.at(-1) ?? "", "route", what, "blackhole", `${to.address}/32`)
      return {
        outside: addressOf(1),
        all,
        parted: (one, other, meanwhile) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              route("add", one, other)
              route("add", other, one)
            }),
            () => meanwhile,
            () =>
              Effect.sync(() => {
                route("delete", one, other)
                route("delete", other, one)
              })
          ),
        end: () => {
          for (const { name } of all) ip("netns", "delete", name)
          ip("link", "delete", own)
        }
      }
    }),
    ({ end }) => Effect.sync(end)
  )

function ip(...args: ReadonlyArray<string>): void {
  execFileSync("ip", args, { stdio: ["ignore", "ignore", "pipe"] })
}
