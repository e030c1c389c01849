/**
 * An undici agent whose every connection passes the address guard; its sockets close with the scope.
 */
import * as Effect from "effect/Effect"
import { Agent } from "undici"
import * as AddressGuard from "./AddressGuard.ts"

export interface Limits {
  /** Sockets to one host at most. */
  readonly connections: number
  readonly rejectUnauthorized: boolean
}

export const guardedAgent = (guard: AddressGuard.Options, { connections, rejectUnauthorized }: Limits) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const connect = AddressGuard.connector(guard, { rejectUnauthorized })
      return new Agent({ ...exchangeLimits, connections, connect })
    }),
    (agent) => Effect.promise(() => agent.destroy())
  )

/** Beyond what an exchange itself is limited to, so that no peer holds a socket for ever. */
const exchangeLimits = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 4000
}
