import { isFirnError } from '@firn/codec'
import { CliError } from '../CliError.ts'

const NAVAX = 1_000_000_000n

/**
 * Parses an amount of AVAX such as 1.5, and returns it in nAVAX.
 * @throws CliError `CLI_INPUT`
 */
export const parse = (text: string): bigint => {
  const [, whole, fraction = ''] = /^(\d{1,11})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (whole !== undefined) return BigInt(whole) * NAVAX + BigInt(fraction.padEnd(9, '0'))
  throw new CliError('CLI_INPUT', `expected an amount of AVAX such as 1.5, got ${JSON.stringify(text)}`)
}

/** Formats an amount of nAVAX in AVAX, such as `1.5 AVAX`. */
export const format = (amount: bigint): string => {
  const fraction = String(amount % NAVAX)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${amount / NAVAX}${fraction === '' ? '' : `.${fraction}`} AVAX`
}

const CODES: readonly string[] = ['TXS_FUNDS', 'TXS_LOCKED', 'TXS_SIGNERS']

/** Converts the amounts in an error about insufficient funds to AVAX. Returns other errors unchanged. */
export const toAvax = (error: unknown): unknown => {
  if (!isFirnError(error) || !CODES.includes(error.code)) return error
  const { needed, available, missing, fee, unlockTime } = error.details
  if (typeof needed !== 'bigint' || typeof available !== 'bigint' || typeof missing !== 'bigint') return error
  const ofFee = typeof fee === 'bigint' ? ` with the fee of ${format(fee)}` : ''
  const remedy =
    typeof unlockTime === 'bigint'
      ? ` Enough is unlocked at ${new Date(Number(unlockTime) * 1000).toISOString()}.`
      : error.code === 'TXS_SIGNERS'
        ? ' The rest needs signatures of other owners.'
        : ''
  const message = `Not enough AVAX: ${format(needed)} needed${ofFee}, ${format(available)} available, ${format(missing)} missing.${remedy}`
  return new CliError('CLI_INPUT', message, { details: error.details, cause: error })
}
