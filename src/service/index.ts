/** The public surface of `millrace/service`: the web data service, on a port or inside a process. */
export * as AddressGuard from "#web/AddressGuard"
export * as Patience from "#web/Patience"
export * as Proxies from "#web/Proxies"
export * as Embedded from "./Embedded.ts"
export * as EmbeddedCrawls from "./EmbeddedCrawls.ts"
export * as Server from "./Server.ts"
export * as ServiceConfig from "./ServiceConfig.ts"
