import { AVAX_DECIMALS, format } from '../format/Amounts.ts'
import { clean } from '../format/ChainText.ts'

/** An exact amount: the digits after the point are quieter. */
export function Amount({
  value,
  decimals = AVAX_DECIMALS,
  symbol = 'AVAX',
}: {
  /** Amount in the smallest unit. */
  readonly value: bigint | string | number
  readonly decimals?: number
  readonly symbol?: string
}) {
  const { whole, fraction } = format(value, decimals)
  return (
    <span class="amount">
      {whole}
      <span class="fraction">{fraction}</span>
      {symbol !== '' && (
        <span class="unit">
          {' '}
          <bdi>{clean(symbol)}</bdi>
        </span>
      )}
    </span>
  )
}
