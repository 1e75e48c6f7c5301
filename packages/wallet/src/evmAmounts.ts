/** nAVAX in wei. */
export const WEI = 1_000_000_000n
/** Balance in wei of an account whose balance is not known; larger than the supply of AVAX. */
export const UNCHECKED_BALANCE = 2n ** 62n * WEI
/** Factor applied to the base fee, so that a transaction stays valid while the fee rises. */
export const BID = 2n
