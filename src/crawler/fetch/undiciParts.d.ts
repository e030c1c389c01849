/**
 * The file of undici that asks. Its index loads fetch, WebSocket, caches and mocks too, and with
 * them the web streams of Node: a tenth of what a run of one page costs.
 */
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici"
  export default Agent
}
