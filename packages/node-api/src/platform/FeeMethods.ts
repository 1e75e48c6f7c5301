import type { PlatformMethods } from '@firn/rpc'
import { Blocks } from '@firn/store'
import { Gas, ValidatorFee } from '@firn/txs'
import type { Freshness, NodeContext } from '../Context.ts'
import type { Handlers } from '../Service.ts'
import * as Rendering from './Rendering.ts'

/** How long results may be cached. */
export const FRESHNESS = {
  'platform.getFeeConfig': 'forever',
  'platform.getFeeState': 'snapshot',
  'platform.getValidatorFeeConfig': 'forever',
  'platform.getValidatorFeeState': 'snapshot',
} as const satisfies Readonly<Record<string, Freshness>>

/** Returns the handlers for the fees of the P-chain: gas fees and fees of L1 validators. */
export function handlers({
  store,
  snapshot,
  constants: { dynamicFee, validatorFee },
}: NodeContext): Pick<Handlers<typeof PlatformMethods>, keyof typeof FRESHNESS> {
  return {
    'platform.getFeeConfig': () => dynamicFee,
    'platform.getFeeState': async () => {
      const { gas, time } = await Blocks.platformState(store, await snapshot())
      const price = Gas.price({ ...dynamicFee, excess: gas.excess })
      return { ...gas, price, timestamp: Rendering.time(time) }
    },
    'platform.getValidatorFeeConfig': () => validatorFee,
    'platform.getValidatorFeeState': async () => {
      const { validatorExcess: excess, time } = await Blocks.platformState(store, await snapshot())
      return { excess, price: ValidatorFee.price(excess, validatorFee), timestamp: Rendering.time(time) }
    },
  }
}
