import type { EvmTokenBalances } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** What a known balance rests on. */
export interface KnownSource extends Pick<EvmTokenBalances.BalanceSource, 'basis' | 'isChecked'> {
  readonly height: bigint
}

/** A balance that is shown. */
export interface KnownBalance {
  readonly contract: Uint8Array
  readonly tokenId: bigint
  readonly balance: bigint
  readonly source: KnownSource
}

/** What a balance rests on. */
export const BalanceSource = Schema.object(
  'BalanceSource',
  'What a balance rests on. Logs of some contracts do not add up to their balances, so balances are compared with the answers of the contracts.',
  {
    basis: Schema.choice(
      ['logs', 'chain'],
      '`logs`: sum of the logs of the contract; `chain`: answer of the contract',
    ),
    blockNumber: Field.height('Block after which the balance is valid'),
    isChecked: Schema.flag(
      'Whether the balance is known to be what the contract returns at this block',
      true,
    ),
  },
)

/** Returns what a balance rests on, in the Data API's format. */
export function balanceSource({ basis, height, isChecked }: KnownSource): Body {
  return { basis, blockNumber: String(height), isChecked }
}
