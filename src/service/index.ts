/** The public surface of `millrace/service`: the web data service, on a port or inside a process. */
export * as AddressGuard from "../crawler/fetch/AddressGuard.ts"
export * as Proxies from "../crawler/fetch/Proxies.ts"
export * as Patience from "../crawler/politeness/Patience.ts"
export * as Embedded from "./Embedded.ts"
export * as EmbeddedCrawls from "./EmbeddedCrawls.ts"
export * as Server from "./http/Server.ts"
export * as ServiceConfig from "./ServiceConfig.ts"
