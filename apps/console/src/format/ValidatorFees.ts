import type { PrimaryNetworkBlock } from '@firn/client'

/** What a block says about the fees of L1 validators. */
export type FeeBlock = Pick<PrimaryNetworkBlock, 'blockTimestamp' | 'l1ValidatorsAccruedFees'>

/**
 * Returns what an active L1 validator pays per second, in nAVAX: the mean from the last block that is older than the
 * newest one, up to the newest one.
 * @param newest blocks of the P-chain, newest first
 * @returns undefined if the blocks do not tell, such as before the Etna upgrade
 */
export function feeRate(newest: readonly FeeBlock[]): number | undefined {
  const known = newest.flatMap(({ blockTimestamp: at, l1ValidatorsAccruedFees: fees }) =>
    fees === undefined ? [] : [{ at, fees }],
  )
  const [last] = known
  const before = known.find(({ at }) => last !== undefined && at < last.at)
  return last === undefined || before === undefined
    ? undefined
    : (last.fees - before.fees) / (last.at - before.at)
}

/**
 * Returns the seconds for which a balance pays, if the rate stays as it is. The rate of the network rises while it has
 * more active L1 validators than its target.
 * @param balance in nAVAX
 * @param rate in nAVAX per second
 * @returns undefined if the rate is unknown or 0
 */
export function timeLeft(balance: number, rate: number | undefined): number | undefined {
  return rate === undefined || rate <= 0 ? undefined : Math.floor(balance / rate)
}
