import { excerpt } from '@firn/codec'
import { WalletError } from './WalletError.ts'

/** nAVAX in one AVAX. */
const NAVAX = 1_000_000_000n

/**
 * Converts an amount of AVAX, written as a decimal number, to nAVAX.
 *
 * @example
 * ```ts
 * import { avax } from '@firn/wallet'
 *
 * avax('1.5') // 1500000000n
 * ```
 * @throws WalletError `WALLET_INPUT` unless the text is a number with at most nine decimal places
 */
export function avax(text: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,11})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (whole !== undefined) return BigInt(whole) * NAVAX + BigInt(fraction.padEnd(9, '0'))
  throw new WalletError('WALLET_INPUT', `expected an amount of AVAX such as 1.5, got ${excerpt(text)}`)
}

/**
 * Formats an amount of nAVAX in AVAX, without trailing zeros.
 *
 * @example
 * ```ts
 * import { formatAvax } from '@firn/wallet'
 *
 * formatAvax(1_500_000_000n) // '1.5'
 * ```
 */
export function formatAvax(amount: bigint): string {
  const size = amount < 0n ? -amount : amount
  const fraction = String(size % NAVAX)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${size / NAVAX}${fraction === '' ? '' : `.${fraction}`}`
}
