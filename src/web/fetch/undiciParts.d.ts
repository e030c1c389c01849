/**
 * The file of undici's dispatcher. Its index also loads fetch, WebSocket, caches and mocks, and with them the web
 * streams of Node: a tenth of the cost of a run of one page.
 */
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici"
  export default Agent
}
