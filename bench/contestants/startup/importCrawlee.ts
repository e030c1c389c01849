/** What a script of Crawlee begins with. */
import { peer } from "../peer.ts"

await peer("crawlee")
