/** nAVAX in wei. */
export const WEI = 1_000_000_000n
/** Factor applied to the base fee, so that a transaction stays valid while the fee rises. */
export const BID = 2n
