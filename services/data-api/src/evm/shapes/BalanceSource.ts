import type { EvmTokenBalances } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** What a known balance rests on. */
export interface KnownSource extends Pick<EvmTokenBalances.BalanceSource, 'basis' | 'isChecked'> {
  readonly height: bigint
}

/** What a balance rests on. */
export const BalanceSource = Type.Object(
  {
    basis: Type.Enum(['logs', 'chain'], {
      description: '`logs`: sum of the contract’s logs; `chain`: answer of the contract',
    }),
    blockNumber: Type.String({ description: 'block after which the balance is valid' }),
    isChecked: Type.Boolean({
      description: 'whether the balance is known to be what the contract returns at this block',
    }),
  },
  {
    description:
      'What the balance rests on. Logs of some contracts do not add up to their balances, so balances are compared with the contracts’ answers.',
  },
)

/** Returns what a balance rests on, in the Data API's format. */
export function balanceSource({ basis, height, isChecked }: KnownSource): Body {
  return { basis, blockNumber: String(height), isChecked }
}
