/** The public surface of `millrace/service`: the web data service, on a port or inside a process. */
export * as AddressGuard from "./crawl/AddressGuard.ts"
export * as Patience from "./crawl/Patience.ts"
export * as Proxies from "./crawl/Proxies.ts"
export * as Embedded from "./Embedded.ts"
export * as Server from "./Server.ts"
export * as ServiceConfig from "./ServiceConfig.ts"
