import { isFirnError } from '@firn/codec'
import { avax, formatAvax } from '@firn/wallet'
import { CliError } from '../../CliError.ts'

/**
 * Parses an amount of AVAX such as 1.5, and returns it in nAVAX.
 * @throws CliError `CLI_USAGE`
 */
export const parse = (text: string): bigint => {
  try {
    return avax(text)
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw new CliError('CLI_USAGE', cause.message, { cause })
  }
}

/** Formats an amount of nAVAX in AVAX, such as `1.5 AVAX`. */
export const format = (amount: bigint): string => `${formatAvax(amount)} AVAX`

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

/**
 * Returns the result of an operation of the wallet.
 * @throws the errors of `work`, with amounts in AVAX; CliError `CLI_USAGE` for input that the operation rejects
 */
export const inAvax = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (isFirnError(error) && error.code === 'WALLET_INPUT')
      throw new CliError('CLI_USAGE', error.message, { cause: error })
    throw toAvax(error)
  }
}
