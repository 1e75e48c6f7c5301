import { CHAINS } from '../format/Chains.ts'
import { feeRate } from '../format/ValidatorFees.ts'
import { usePrimary } from './Session.ts'
import { useLoaded } from './useLoaded.ts'

/** Number of blocks among which two have different times. */
const BLOCKS = 20

/** Requests what an active L1 validator pays per second, in nAVAX; undefined until it is known. */
export function useFeeRate(): number | undefined {
  const { primary, network } = usePrimary()
  const loaded = useLoaded(
    async (signal) => {
      const parameters = { network, blockchainId: CHAINS.P, pageSize: BLOCKS }
      return feeRate((await primary.listLatestPrimaryNetworkBlocks(parameters, { signal })).blocks)
    },
    [network],
  )
  return loaded.value
}
