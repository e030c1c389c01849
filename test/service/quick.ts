/** As patient as a service is, and a thousand times as fast: for tests whose clock is the machine's. */
import type { Patience } from "#web/Patience"

export const quick: Patience = { tries: 3, firstWaitMillis: 1, coolingMillis: [5, 15, 45, 120] }
